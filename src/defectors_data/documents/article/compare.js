"use strict";
// The page that compares two readings: each decision is written down with its reason.

const sections = [...document.querySelectorAll(".difference")];
const say = (sentence) => { document.querySelector("#said").textContent = sentence; };
let at = Math.max(0, sections.findIndex((each) => !each.classList.contains("decided")));

function go(to) {
  if (!sections[to]) return say("There are no further differences.");
  at = to;
  for (const each of sections) each.classList.toggle("current", each === sections[at]);
  sections[at].scrollIntoView({ block: "center" });
  sections[at].focus({ preventScroll: true });
}

async function decide(event) {
  event.preventDefault();
  const section = event.target.closest(".difference");
  const given = new FormData(event.target);
  const values = { number: section.dataset.number, choice: given.get("choice") || "", reason: given.get("reason") };
  const address = `../decide/${location.pathname.split("/").pop()}`;
  const answer = await fetch(address, { method: "POST", body: JSON.stringify({ values }) });
  const content = await answer.json();
  if (!answer.ok) return say(content.message);
  section.classList.add("decided");
  section.querySelector("output").textContent = values.choice;
  if (sections[at + 1]) go(at + 1);
  say(`Written down: ${content}`);
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio])")) return;
  const choices = sections[at]?.querySelectorAll("[name=choice]") || [];
  const chosen = choices[Number(event.key) - 1];
  if (chosen) {
    event.preventDefault();
    chosen.checked = true;
    sections[at].querySelector("[name=reason]").focus();
  } else if (event.key === "n") go(at + 1);
  else if (event.key === "p") go(at - 1);
}

document.addEventListener("keydown", pressed);
document.querySelector("#articles").addEventListener("change", (event) => location.assign(event.target.value));
for (const form of document.querySelectorAll(".difference form"))
  form.addEventListener("submit", (event) => decide(event).catch((error) => say(error.message)));
for (const [i, each] of sections.entries()) each.addEventListener("focusin", () => { at = i; });
if (sections.length) go(at);
