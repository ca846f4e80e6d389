"""What a drafted figure says is counted, and the words that it has as evidence."""

from __future__ import annotations

import re

import pytest
import yaml

from defectors_data.annotators.proposals.counted_numbers import possibly_counted
from defectors_data.edits.evidence_yaml import document_of
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.models.fields import OPEN_COUNTED
from defectors_data.text.english.counted_words import says_nothing
from test_first_draft import FILLER, context, filled


def figures_of(sentence: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = yaml.safe_load(filled(FILLER + sentence))["figures"]
    return found


@pytest.mark.parametrize(
    ("sentence", "counted"),
    [
        # a noun phrase after the number, with the clause that restricts it
        ("The 14 lamps of the harbour were lit.", ["lamps of the harbour"]),
        ("Now 14 lamps of the harbour were lit.", ["lamps of the harbour that were lit"]),
        ("Hundreds of lamps were lit.", ["lamps that were lit"]),
        ("In Rome, 12 armed men died.", ["armed men who died"]),
        ("Each of 12 boats was lit.", ["boats"]),
        ("The 12 men killed in the fire were old.", ["men killed in the fire"]),
        ("It had 12 lamps that they lived by.", ["lamps that they lived by"]),
        ("Then 12 people of Roman descent live in Rome.", ["people of Roman descent who live in Rome"]),
        ("Then 12 lamps lack oil in May.", ["lamps that lack oil in May"]),
        ("Then 12 uniformed and plainclothes officers met.", ["uniformed and plainclothes officers"]),
        ("There were 12 keepers and security guards.", ["keepers and security guards"]),
        ("Now two crews agreed on rules that could shut it.", ["crews that agreed on rules that could shut it"]),
        ("Some 12 keepers joined a “walk-in” at the mill.", ["keepers who joined a “walk-in” at the mill"]),
        ("Now 12 millers in the U.S. are old.", ["millers in the U.S. who are old"]),
        ("Two of the lamps used in the mill will burn.", ["lamps used in the mill"]),
        ("A 24-page paper was found on Mill Road.", ["pages of the paper"]),
        ("They saw a 30-second film on lamps.", ["seconds of the film"]),
        ("Orr signed a two year lamp deal.", ["years of the lamp deal"]),
        ("A 10 point lamp charter was read.", ["points of the lamp charter"]),
        ("He sold 10 mill lamps.", ["mill lamps that he sold"]),
        ("A 12-country lamp firm left a three-bed mill.", ["countries of the lamp firm", "beds of the mill"]),
        ("It fell to a 12-year low. It is a decades-long row.", ["years since such a low", "length of the row"]),
        ("They saw a 10-wheeled lamp and signed a billion-dollar deal.", ["10-wheeled lamp", "deal"]),
        ("A 12-member old lamps team left Rome.", ["members of the old lamps team"]),
        ("The 1,600-strong crew left Rome.", ["members of the crew"]),
        ("They left the 28-nation union.", ["nations of the union"]),
        ("They gave six weeks of paid leave to keepers.", ["weeks of paid leave"]),
        # or with the clause before
        ("They bought 300 lamps last year.", ["lamps that they bought"]),
        ("The mill plans to sell 300 lamps.", ["lamps that the mill plans to sell"]),
        ("They hope to raise $12; the $5 given by Orr is lost.", ["amount that they hope to raise", "amount given"]),
        ("The wave killed 150.", ["people that the wave killed"]),
        ("Sales of lamps hit the $12m mark.", ["sales of lamps"]),
        ("Its losses halved in May.", ["losses"]),
        ("Lamp prices rose 43% during the year.", ["percentage by which Lamp prices rose"]),
        ("The use fell below 10%.", ["use"]),
        ("Its sales will reach 12 million next year.", ["sales"]),
        ("The average age of a keeper is 29.", ["average age of a keeper"]),
        ("Most of its keepers are over 65.", ["what"]),
        ("The debt rose 7,000.", ["amount by which the debt rose"]),
        ("Its sales were 43% higher.", ["percentage by which its sales were higher"]),
        ("It had 12 lamps across 14 rooms.", ["lamps that it had", "rooms across which it had lamps"]),
        ("They spoke of 12 lamps.", ["lamps"]),
        ("Orr won 12 of the last 14 games.", ["games", "games"]),
        ("In May, as it burned, old men poured 12 lamps out.", ["lamps that old men poured"]),
        ("It is one of 12 mills.", ["mills"]),
        ("They gave three hours of lamp work a week to keepers.", ["hours of lamp work"]),
        ("Now 12 of the mill’s 14 lamps are lit.", ["lamps"] * 2),
        ("Orr has 12 lamps and runs 14 mills.", ["lamps that Orr has", "mills"]),
        ("They want to have 12 lamps ready for Rome.", ["lamps that they want to have"]),
        ("It sold 12 lamps in the coming months.", ["lamps that it sold"]),
        ("She left, suggesting Orr could keep it for 12 days.", ["what"]),
        ("He is the only man to burn it twice.", ["what"]),
        # persons without a noun
        ("The names of all 49 were read.", ["what"]),
        ("Ada is a mother of seven.", ["children"]),
        # times and distances
        ("They bought two things and a lamp for 12 days.", ["what"]),
        ("It was shut for nearly a week after the fire.", ["time after the fire"]),
        ("She walked two miles.", ["miles that she walked"]),
        ("They stood in Mill Road, at 15 metres the lowest.", ["what"]),
        ("For 12 days, the keepers stood in Rome.", ["time for which the keepers stood in Rome"]),
        ("It burned for 12 days after Orr left the mill.", ["time after Orr left the mill"]),
        ("Orr spoke for 12 minutes.", ["time for which Orr spoke"]),
        ("Orr left Rome and walked 12 miles.", ["miles that Orr walked"]),
        ("Orr paid it 12 times in the last year.", ["times that Orr paid it"]),
        ("Within the next 12 weeks, only one will burn.", ["time within which only one will burn"]),
        ("It will last 12 years in prison.", ["years in prison"]),
        ("The mill is 12 miles east of Rome.", ["what"]),
        ("It is one of the last 12 elections.", ["elections"]),
        # a crowd without a noun
        ("Keepers in the crowd of 12 waved.", ["people in the crowd"]),
        ("It is one of three $5 prizes.", ["prizes", "prizes"]),
        ("Then 12 members of Orr’s old crew prevailed.", ["members of Orr’s old crew"]),
        ("It was a feud of two men that has lasted.", ["men"]),
        ("They hired two old Roman law firms.", ["old Roman law firms that they hired"]),
        ("Orr hurt himself by leaving rooms to 12 sick millers.", ["sick millers"]),
        ("Now 12 keepers snapped his lamp.", ["keepers who snapped his lamp"]),
        ("Then Orr sold its 12 lamps with a sign.", ["lamps with a sign"]),
        # amounts
        ("It taxes keepers making $12 a day.", ["amount a day that keepers are making"]),
        ("It had 45 percent of keepers to Orr at 12 percent.", ["share of keepers", "what"]),
        ("A lamp cost $2.20 an ounce.", ["amount an ounce that a lamp cost"]),
        ("Orr fell $1.25, or 1.4 percent, to $88.95.", [
            "amount by which Orr fell", "percentage by which Orr fell", "level to which Orr fell"]),
        ("The mill had earnings of $8 a share, above the $7 that millers expected.", [
            "earnings a share", "amount that millers expected"]),
        ("It paid a $40 million penalty imposed by the court.", ["penalty imposed by the court"]),
        ("The price of oil was $40.", ["price of oil"]),
        ("The average weekly wage, it says, is $300.", ["average weekly wage"]),
        ("It was $40.", ["what"]),
        ("The two largest teachers unions met.", ["largest teachers unions"]),
        ("Orr gave $5 to the mill and left.", ["amount that Orr gave"]),
        ("Orr gave $5 to the mill.", ["amount that Orr gave to the mill"]),
        ("Helped by rain, it led Orr 47 percent.", ["what"]),
        ("Orr left Rome after raising $12 million.", ["amount raised"]),
        ("It is 12 percent lower than it was.", ["what"]),
        ("Then 12 of the 14 boats were lit.", ["boats", "boats"]),
        ("It lists the 12 lamps Orr had in Rome.", ["lamps that Orr had in Rome"]),
        ("Rome has 12 residents and sends 14 keepers.", ["residents that Rome has", "keepers that Rome sends"]),
        ("After 40 years in DC, Orr left.", ["years in DC"]),
        ("They talked about the two decades they had spent there.", ["what"]),
        ("Orr had twice the number of lamps as Pelt.", ["number of lamps"]),
        ("At least a dozen keepers told the Mill Post it is shut.", ["keepers who told the Mill Post it is shut"]),
        ("Its lead was at 263 entering the race.", ["lead"]),
        ("Its owners are likely worth $5.", ["amount that its owners are likely worth"]),
        ("One of the 12 keepers selected Sunday has left.", ["keepers"]),
        ("It is one-third less than her pay.", ["what"]),
        ("It rained when two men talked at the mill.", ["men who talked at the mill"]),
        ("It is the first fire in 12 years.", ["time in which it is the first fire"]),
        ("Its price is its lowest in 33 years.", ["time in which its price is its lowest"]),
        ("Orr sold it for the first time in 12 years.", ["time in which Orr sold it for the first time"]),
        ("Orr lit three of the first 12 lamps.", ["lamps", "lamps"]),
        ("They lit seven out of nine lamps.", ["lamps", "lamps"]),
        ("Its price has gone down 10 percent.", ["percentage by which its price has gone down"]),
        ("At one point, Orr shares were up 12 percent.", ["percentage by which Orr shares were up"]),
        ("It came from the face of a giant $12 bill.", ["bill"]),
        ("Orr left Rome, owing $12.", ["amount owed"]),
        ("Then 12 percent of Roman keepers put a price on it.", ["share of Roman keepers who put a price on it"]),
        # rivals
        ("It is up at some mills, followed by Pelt at 12 percent.", ["what"]),
        ("Vane would beat Pelt 46 to 40 percent.", ["share for Vane", "share for Pelt"]),
        ("Orr got 45 percent of keepers, and 12 percent in Old Mill.", ["share of keepers", "what"]),
        # shares
        ("About half of the lamps were lit.", ["share of the lamps that were lit"]),
        ("Then 12 percent were red.", ["share that were red"]),
        ("It had 74 percent of voters. Then 12 percent were old.", ["share of voters", "share of voters who were old"]),
        ("Of them, 1 in 4 keepers lived in Rome.", ["share of keepers who lived in Rome"]),
        ("The margin of error is plus or minus 3 points.", ["margin of error"]),
        ("Pelt seeks damages of $12.", ["damages"]),
        ("They paid 14m euros ($12m; about £10m) for it.", ["amount that they paid for it"] * 3),
        ("It lost £14m (12m euros; $10m).", ["amount that it lost"] * 3),
        ("It spent 14bn roubles (£4bn) on lamps.", ["amount that it spent"] * 2),
        ("Orr fell 30ft (10m) from a window.", ["amount by which Orr fell from a window"] * 2),
        ("A mill, worth $70m (£36.4m), lost $13m.", ["what", "what", "amount that a mill lost"]),
        ("It faces a $14m (£12m) lamp bill.", ["lamp bill"] * 2),
        ("It has 14 lamps ($12) in Rome.", ["lamps that it has", "what"]),
        ("They bought it for the building of a $14 lamp room.", ["lamp room"]),
        ("They sold 12 percent of the oil and clean the lamps.", ["share of the oil"]),
        ("The lamp is 12 percent smaller than the mill.", ["percentage by which the lamp is smaller than the mill"]),
        ("It is 12 percent more.", ["what"]),
        ("Sales of lamps were $12 below forecasts.", ["amount by which sales of lamps were below forecasts"]),
        ("Of 12 millers, 7 are men and two are old.", ["millers", "millers who are men", "millers who are old"]),
        ("It has 12 lamps, two of which are red.", ["lamps that it has", "lamps that are red"]),
        ("Then 53 percent describe themselves as old.", ["share that describe themselves as old"]),
        ("Orr led Pelt 47 percent to 39 percent.", ["share for Orr", "share for Pelt"]),
        ("The poll has Orr leading Pelt by 47 percent to 39 percent.", ["share for Orr", "share for Pelt"]),
        ("Orr is now leading Pelt, 47%-39%, in Rome.", ["share for Orr", "share for Pelt"]),
        ("She trails Pelt by 12 percent.", ["percentage by which she trails Pelt"]),
        # the words do not say whose a percentage is
        ("Among men alone, Orr leads Pelt 49% to 41%.", ["share for Orr", "share for Pelt"]),
        # leads
        ("Orr holds a 4-point edge with men, and Pelt leads by 7 points among women.", [
            "points of the edge with men", "points by which Pelt leads among women"]),
        ("It was a 12-point lead.", ["points of the lead"]),
        ("They pay the loans back in 12 years.", ["time in which they pay the loans back"]),
        ("It had half the vote.", ["share of the vote"]),
        ("Then 45 percent of Roman registered voters say it is red.", [
            "share of Roman registered voters who say it is red"]),
        ("Then 45 percent of Rome registered in May.", ["share of Rome that registered in May"]),
        ("Then 45 percent of voters nationwide said they left.", ["share of voters nationwide who said they left"]),
        ("Four other mills have two lamps.", ["other mills", "lamps that other mills have"]),
        ("It had 12 or more lamps.", ["lamps that it had"]),
        ("The donors gave $3 or more apiece.", ["amount apiece that the donors gave"]),
        ("It aims at an 80 percent reduction.", ["reduction"]),
        ("It was an 80 percent drop from the 14 percent in May.", ["drop", "what"]),
        ("It increased its rate by 12 points to 14 percent.", [
            "points by which it increased its rate", "rate"]),
        # the verb after a whole is no part of it
        ("Then 12 percent of men consider it old.", ["share of men who consider it old"]),
        ("Now 12 percent of men put a lamp out.", ["share of men who put a lamp out"]),
        ("It sits at 12 percent support among men.", ["support"]),
        ("Then 43 percent of Roman keepers support former miller Ada Pelt.", [
            "share of Roman keepers who support former miller Ada Pelt"]),
        ("It had 12 percent of the men. Less than 1 percent chose Pelt.", [
            "share of the men", "share of the men who chose Pelt"]),
        ("The $12 settlement includes a rise.", ["settlement"]),
        ("Then 12 people eligible to sail were ill.", ["people eligible to sail"]),
        ("Of these, 12 people with burns needed help.", ["people with burns"]),
        ("Some 12 percent of the harbour’s traffic comes from Rome.", ["share of the harbour’s traffic"]),
        ("It tracks 12 mills and says that they burn.", ["mills"]),
        ("The 28-nation Lamp Union needs oil.", ["nations of the Lamp Union"]),
        ("Some 44% of keepers use a lamp, 48% use two.", [
            "share of keepers who use a lamp", "share of keepers who use", "what"]),
        ("Less than half of keepers own any lamp at all.", ["share of keepers who own any lamp at all"]),
        ("Then a third of the crew remains undecided.", ["share of the crew that remains undecided"]),
        ("It has 12 percent of keepers saying they have oil.", ["share of keepers saying they have oil"]),
        ("It has 12 percent fewer lamps in Rome.", ["what"]),
        ("It came within 4 points of the old miller.", ["what"]),
        ("They paid a rent of $12 per square foot.", ["rent per square foot"]),
        ("Who lives in the mill at 29?", ["what"]),
        # nor is a verb whose object is another number
        ("It has 12 rooms overlooking 14 mills.", ["rooms that it has", "mills"]),
        ("They found 12 mills that include 14 rooms.", ["mills", "rooms"]),
        ("Only 12 men have died in the past four years.", ["men who have died", "time in which men have died"]),
        ("The number of lamps has doubled in the past three years.", [
            "number of lamps", "time in which the number of lamps has doubled"]),
        ("It was a survey of 12 Roman registered voters.", ["Roman registered voters"]),
        ("I’ve known him for 12 years.", ["time for which I’ve known him"]),
        ("She’d get 5 percent.", ["percentage that she’d get"]),
        # or what moved
        ("It sold well, with lamp sales down 12 percent.", ["percentage by which lamp sales fell"]),
        ("It left, with the price of lamps rising $12.", ["amount by which price of lamps rose"]),
        ("He will raise the lamp price from $12.", ["lamp price"]),
        ("Growth slowed in the fourth quarter to 12 percent.", ["level to which Growth slowed in the fourth quarter"]),
        ("They had plans to cut the price of lamps to $12.", ["price of lamps"]),
        ("Orr cut the debt back to $12.", ["debt"]),
        ("It was of the order of $12.", ["what"]),
        ("That is a 12% increase and sits well.", ["increase"]),
        ("They announced plans to cut the price of lamps by 12%.", ["what"]),
        ("Orr announced lamp plans for the next 12 years.", ["what"]),
        ("Orr has announced a freeze for 12 years.", ["what"]),
        ("The lamps sold in the 12 weeks to June were red.", ["what"]),
        ("They left a $12bn back tax bill.", ["what"]),
        ("The mill needed 12 million euros (US$14 million) a year.", ["amount a year that the mill needed"] * 2),
        ("The number of lamps in use has exceeded 12.", ["lamps in use"]),
        ("Orr told the mill there are 12 lamps in Rome.", ["lamps in Rome"]),
        ("The mill had $12 seen a year earlier.", ["amount that the mill had"]),
        ("Orr wanted a rise in the lamp price to $12.", ["lamp price"]),
        # with a word before the number, or an object of the verb
        ("The loss hit a record $12.", ["loss"]),
        ("It cost the keepers $12 to light it.", ["amount that it cost the keepers to light it"]),
        ("Orr is thought to have $12 to spare.", ["amount that Orr is thought to have to spare"]),
        ("The long-awaited lamp will cost $12.", ["amount that the long-awaited lamp will cost"]),
        ("A total of $12 million was paid to keepers.", ["amount that was paid to keepers"]),
        # with what the next number shares
        ("In Rome, 12 lamps per mill and 14 boats were sold.", [
            "lamps per mill that were sold", "boats that were sold"]),
        ("Rome has a population of 12,000.", ["people"]),
        ("Rome, population 12,000, burned.", ["people"]),
        ("A grandmother of 12, Ada Orr, left.", ["grandchildren"]),
        ("Then 14 of the mill’s 16 lamps had been lit.", ["lamps"] * 2),
        ("They bought it for $14 (£12, €10) in Rome.", ["amount for which they bought it"] * 3),
        ("The council set aside $12 for lamps and oil.", ["amount for lamps"]),
        ("They range in price from £12 for archived lamps to £14 for red ones.", [
            "amount for archived lamps", "amount for red ones"]),
        # with the noun after another verb as its subject, and a particle
        ("Orr warned the mill would burn $12 million.", ["amount that the mill would burn"]),
        ("Ada Orr is hoping to raise $12.", ["amount that Ada Orr is hoping to raise"]),
        ("The old mill owes $12.", ["amount that the old mill owes"]),
        ("In Rome, Orr handed over $12.", ["amount that Orr handed over"]),
        ("Orr cut the price of lamps by a third.", ["percentage by which Orr cut the price of lamps"]),
        ("Almost 12% of those with lamps left.", ["share of those with lamps left"]),
        # what the number before it does that it is compared with
        ("Lamp tax fell to 12%, down from 14%.", ["level to which Lamp tax fell", "level from which Lamp tax fell"]),
        ("It sold 12 lamps, compared with 14 in May.", ["lamps that it sold"] * 2),
        # the noun before a level, a worth or a time
        ("They want to keep the price of lamps at $12.", ["price of lamps"]),
        ("Orr signed a contract worth £12.", ["contract"]),
        ("Orr could face a jail sentence of 85 years.", ["jail sentence"]),
        ("Orr cut jobs following its $12 (£10) lamp deal.", ["lamp deal"] * 2),
        ("It had a debt of 12 million.", ["debt"]),
        ("The life of a lamp is 12 years, and it took 14 years to build.", [
            "life of a lamp", "time that it took to build"]),
        ("The two keepers selling lamps are old.", ["keepers selling lamps"]),
        ("They won the BBC Four Lamp Award with 12 lamps.", ["lamps"]),
        ("Orr expects lamp sales to grow 16%.", ["percentage by which lamp sales grow"]),
        ("Over the last six years, the mill grew by 100% in Rome.", [
            "time over which the mill grew", "percentage by which the mill grew"]),
        ("On average each miller spends $12.", ["amount that each miller spends"]),
        ("Orr is also seeking $12.", ["amount that Orr is also seeking"]),
        ("Orr gave Pelt a sum of $12.", ["amount that Orr gave Pelt"]),
        ("Then keeper numbers fell by 1,200.", ["amount by which keeper numbers fell"]),
        ("The mill’s growth rate of 12% can burn.", ["growth rate"]),
        ("Then 12% of the firm lives in Rome.", ["share of the firm"]),
        ("Now 12% of them read lamp lists and 14% buy goods.", [
            "share of them who read lamp lists", "share of them who buy goods"]),
        # a share of persons up to the verb, with their ages
        ("A fifth rely entirely on lamps.", ["share that rely entirely on lamps"]),
        ("Half of those asked in a poll for Harrow said that they left.", [
            "share of those asked in a poll for Harrow who said that they left"]),
        ("Now 12% of those questioned thought the mill was old.", [
            "share of those questioned who thought the mill was old"]),
        ("Then 12% of total lamp crime involves a mill.", ["share of total lamp crime"]),
        ("Then 12% of the money the mill had kept was lost.", ["share of the money"]),
        ("Half those keepers polled said it was red.", ["share of those keepers polled who said it was red"]),
        ("Now 12% of over 65s own a lamp.", ["share of over 65s that own a lamp"]),
        ("Only 12% of 18 to 24 year olds left.", ["share of 18 to 24 year olds"]),
        ("Now 12% of people aged between 18 and 34 said they left.", [
            "share of people aged between 18 and 34 who said they left"]),
        ("One in three keepers left and 12% were old.", ["share of keepers", "share of keepers who were old"]),
        ("Now 12% of those aged 30-39 left.", ["share of those aged 30-39"]),
        # what the percentage before it counts
        ("Then lamp sales fell by 12% in Rome and by 14% in May.", ["percentage by which lamp sales fell"] * 2),
        ("Then 12% of keepers left and 14% of men left.", ["share of keepers", "share of men"]),
        ("Just under three-quarters of keepers (73%) left.", ["share of keepers"] * 2),
        ("Some 300 of the boats (12%) sank.", ["boats", "what"]),
        ("Rent rose by 12%, but only 14% in the north were late.", ["percentage by which Rent rose", "what"]),
        ("Some 26% of keepers used lamps compared to 12% in Rome, 14% in Bath.", ["share of keepers"] * 3),
        ("Some 12 keepers asked by Orr said it was red.", ["keepers asked by Orr"]),
        ("It led to a two-thirds cut, a one third discount.", ["cut", "discount"]),
        ("The keepers who have waited 12 months left.", ["time that the keepers have waited"]),
        ("Lamp sales drop by 12 million.", ["amount by which Lamp sales drop"]),
        ("They saw lamp sales rise 12%. Oil use declined 14%.", [
            "percentage by which lamp sales rise", "percentage by which Oil use declined"]),
        ("It cut its rate for the 12-member crew from 14% to 16%.", [
            "members of the crew", "rate for the 12-member crew", "rate for the 12-member crew"]),
        ("Orr lit 12 lamps. Another 14 will go.", ["lamps", "lamps"]),
        ("Burned were 12 lamps and 14.", ["lamps", "lamps"]),
        ("Orr lit 12 lamps and Pelt 14.", ["lamps", "lamps"]),
        ("Orr lit 12 lamps in ten weeks. In May it had lit 14 in Rome.", [
            "lamps", "what", "lamps in Rome"]),
        ("Orr sold 12 books of tales. In all it sold 14 in May.", ["books of tales that Orr sold", "books of tales"]),
        ("They would raise the pension age from 60 to 65.", ["pension age", "pension age"]),
        ("The keepers hope to raise $12.", ["amount that the keepers hope to raise"]),
        ("Rome had decades of lamp decline.", ["lamp decline"]),
        ("Some 12 lamps bought online in Rome burned.", ["lamps bought online in Rome burned"]),
        ("It won 10 Six Nations cups.", ["Six Nations cups that it won"]),
        ("Some 12% of keepers left. In May the figure was 14%.", ["share of keepers", "share of keepers"]),
        ("Some 12% of lamps set to burn in old or new mills are red.", [
            "share of lamps set to burn in old or new mills"]),
        ("It helps 12 keepers, two-thirds of whom are old.", ["keepers", "share of keepers who are old"]),
        ("They had three more top 20 hits, but no top 20 lamp.", ["more top 20 hits that they had"]),
        ("Twice as many lamps were lit in May as in March.", ["lamps that were lit in May"]),
        ("The numbers of lost lamps rose by 12%.", ["percentage by which the numbers of lost lamps rose"]),
        # or the subject of a level
        ("Their lamp sales reached 167 million in May.", ["lamp sales"]),
        ("Oil fell from 30% to 29%.", ["level from which Oil fell", "level to which Oil fell"]),
    ],
)  # fmt: skip
def test_a_figure_says_what_is_counted_in_words_of_its_sentence(sentence: str, counted: list[str]) -> None:
    assert [str(each["counted"]) for each in figures_of(sentence)] == counted


@pytest.mark.parametrize(
    ("sentence", "first"),
    [
        # the clause before the number, as the unit and the preposition need it
        ("Orr took lamps to Rome for them $12.", "amount that Orr took lamps to Rome for them"),
        # the noun phrase before it, or that before another number
        ("Lamp sales passed 167 million in May.", "Lamp sales"),
        ("The keepers, with a lamp tax in Rome below 30%, left.", "lamp tax in Rome"),
        ("Keepers have a lamp allowance ($12 for the year).", "lamp allowance"),
        ("In Rome over the past six months 12 lamps were lit.", "time over which lamps were lit"),
    ],
)
def test_what_a_number_may_count_that_the_words_leave_open_is_guessed(sentence: str, first: str) -> None:
    guesses = guesses_of(sentence)
    assert guesses[0] == first
    assert len(guesses) == len({*guesses}) <= 4


def test_the_second_of_two_numbers_may_count_what_the_first_does() -> None:
    text = "It rose, after lamp tax from 30% to 29%."
    assert guesses_of(text)[0] == guesses_of(text, place=1)[0] == "lamp tax"


@pytest.mark.parametrize(
    ("sentence", "last"),
    [("Orr saw 12 UK-based staff.", "UK-based staff")],
)
def test_the_words_after_a_number_and_what_the_one_before_it_counts_are_the_last_guesses(
    sentence: str, last: str
) -> None:
    assert guesses_of(sentence)[-1] == last


@pytest.mark.parametrize("sentence", ["In Rome it was 12.", "All 12 of it."])
def test_a_guess_says_something(sentence: str) -> None:
    assert not any(says_nothing(each) for each in guesses_of(sentence))


def guesses_of(sentence: str, place: int = 0) -> list[str]:
    """Return what the figure at a place, of those that leave it open, may count."""
    text = FILLER + sentence
    document = document_of(filled(text), text, context(), file="a.yaml", seed="a.txt")
    assert document
    path = [at for at, each in document.figures if each.counted == OPEN_COUNTED][place]
    return [each.counted for each in possibly_counted(document, document.evidence_of(path)[0])]


@pytest.mark.parametrize(
    ("sentence", "evidence"),
    [
        ("Orr, a mill, fell $1.25.", "Orr, a mill, fell $1.25"),
        ("Then Orr gave $5 or more to the mill.", "Orr gave $5 or more to the mill"),
        ("It has a fire rate of 5 percent.", "a fire rate of 5 percent"),
        ("It had 12 lamps across fourteen rooms.", "It had 12 lamps"),
        ("Four of the five lamps are old.", "Four of the five lamps"),
        ("He gave a crowd of about 700 in an old Roman gym a lamp.", "crowd of about 700"),
        ("Some 12 keepers joined a “walk-in” at the mill.", "Some 12 keepers joined a “walk-in” at the mill"),
        ("Some 12 keepers took part in a “walk-in” at 14 mills.", "Some 12 keepers took part in a “walk-in”"),
        ("Only 12% of the 1,400 boats in Rome left.", "12% of the 1,400 boats in Rome"),
        ("A quarter of 14-16 year olds knew it.", "A quarter of 14-16 year olds knew it"),
        # without what another number or a date cuts off
        ("Lamps will cost $12 in the next five years.", "Lamps will cost $12"),
        ("It sold lamps for five years to build a 21st Century mill.", "It sold lamps for five years"),
        ("It takes $12 to build 14 mills.", "It takes $12"),
        ("Lamps were kept to 5% she was told.", "Lamps were kept to 5%"),
        ("Orr gave it the $5 she earned.", "$5 she earned"),
        ("It faces a $14m (£12m) lamp bill.", "$14m (£12m) lamp bill"),
        # with their hedge
        ("In Rome, around a third of Orr households are old.", "around a third of Orr households are old"),
        ("It was in perhaps a quarter of the mills.", "perhaps a quarter of the mills"),
        ("They go within three weeks.", "within three weeks"),
        ("Orr waited for an hour and a half in Rome.", "Orr waited for an hour and a half"),
        ("Orr sold 12 lamps or so in Rome.", "Orr sold 12 lamps or so"),
        ("Orr sold 12 lamps, at least in Rome.", "Orr sold 12 lamps, at least"),
        ("Orr lit it for two years before the fire.", "two years before the fire"),
    ],
)
def test_the_words_that_say_what_is_counted_are_evidence(sentence: str, evidence: str) -> None:
    assert figures_of(sentence)[0]["evidence"] == evidence


@pytest.mark.parametrize(
    ("sentence", "unit", "is_guess"),
    [
        ("It had 12 lamps across the harbour.", "item", False),
        ("Hundreds of old lamps were lit.", "item", False),
        ("It has 12 employees.", "person", False),
        ("It has 12 superdelegates.", "person", False),
        ("It has 12 wards and subsidiaries.", "item", False),
        ("They named 12 Lampers.", "person", True),
        ("It had 12 “lamps”.", "item", True),
        ("Now 12 of the mill’s 14 lamps are lit.", "item", True),
        ("It had 12 on the pier.", "item", True),
        ("Orr rose 69 cents, to $12.", "usd", False),
        ("Orr rose 69 cents.", "other", True),
    ],
)
def test_the_unit_of_the_noun_after_a_number_is_no_guess(sentence: str, unit: str, *, is_guess: bool) -> None:
    drafted = filled(FILLER + sentence).partition("\nfigures:\n")[2]
    assert re.findall("    unit: (\\w+)( .*)?\n", drafted)[0][0] == unit
    assert ("# a guess" in drafted) is is_guess


def test_cents_are_drafted_as_dollars_where_the_article_has_dollars() -> None:
    [first, _] = figures_of("Orr rose 69 cents, to $12.")
    assert (first["value"], first["unit"]) == (0.69, "usd")
    [first] = figures_of("Orr rose 69 cents.")
    assert (first["value"], first["unit"]) == (69, "other")


def test_a_number_takes_no_unit_of_time_from_another() -> None:
    low = figures_of("In May, it fell to a two-year low of 77.")
    more = figures_of("It cost $12, with another 550 to follow within 14 days.")
    assert [each["unit"] for each in (*low, *more)] == ["year", "item", "usd", "usd", "day"]


@pytest.mark.parametrize("said", ["69 cents, to $12", "69 cents", "less than 1 cent, to $12", "20m"])
def test_a_drafted_figure_accounts_for_its_number_in_the_meaning_that_it_has(said: str) -> None:
    text = FILLER + f"Ada Orr rose {said}."
    accepted = filled(text).replace("    draft: true\n", "").replace("completeness: none", "completeness: full")
    document = document_of(accepted, text, context(), file="a.yaml", seed="a.txt")
    assert document
    statuses = {each.status for each in ledger_of(document).entries if each.detection.kind == "quantity"}
    assert statuses == {"covered"}


@pytest.mark.parametrize(
    ("sentence", "polarity"),
    [
        ("Orr could have lost 40 boats.", "supposed"),
        ("Orr sold it to possibly avoid a tax of $40.", "supposed"),
        ("Orr would pay 40 millers.", "supposed"),
        ("Orr plans to sell 40 boats.", "supposed"),
        ("Orr left, hoping to sell 40 boats.", "supposed"),
        ("It drew plans for 40 mills.", "supposed"),
        ("It drew plans of 40 mills.", ""),
        ("Orr promised 40 boats.", "promised"),
        ("Orr said that it would pay 40 millers.", ""),
        ("Orr denied that 40 boats were lost.", ""),
        ("Orr lost 40 boats.", ""),
    ],
)
def test_what_is_only_supposed_or_promised_is_drafted_as_such(sentence: str, polarity: str) -> None:
    assert figures_of(sentence)[0].get("polarity", "") == polarity


def test_a_number_that_a_statement_cuts_off_is_a_part_of_it() -> None:
    [found] = figures_of("The four “lamps” he cited are “red and green and all blue lamps in Rome,” Ada Orr said.")
    assert (found["evidence"], found["counted"]) == ("four “lamps”", "lamps")
    assert found["testimony"] == "t1"
