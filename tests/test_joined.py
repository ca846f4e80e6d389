"""The joined table says of each testimony what the tables that it is made of say."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from conftest import PROJECT

OF = {"speaker": "speakers", "mention": "mentions", "source": "sources"}


def loaded(folder: Path, table: str) -> pd.DataFrame:
    return pd.read_parquet(folder / f"data/{table}.parquet")


@pytest.mark.parametrize("published", [False, True])
def test_each_cell_of_the_joined_table_is_that_of_its_own_table(package: Path, *, published: bool) -> None:
    folder = PROJECT / "dist" if published else package
    joined, testimonies = loaded(folder, "testimonies_joined"), loaded(folder, "testimonies")
    assert joined["testimony_id"].tolist() == testimonies["testimony_id"].tolist()
    compared = []
    for name in joined.columns:
        table, _, column = name.partition("_")
        if table in OF and column != "id":
            rows = loaded(folder, OF[table]).set_index(f"{table}_id")[column]
            expected = rows.reindex(joined[f"{table}_id"]).tolist()  # a mention may have been taken out
        elif name != "mention_id":
            expected = testimonies[name].tolist()
        else:
            continue
        assert pd.Series(expected).equals(pd.Series(joined[name].tolist())), name
        compared.append(name)
    assert len(compared) == len(joined.columns) - 1


def test_the_mention_is_the_first_of_the_speaker_in_the_source(package: Path) -> None:
    joined, mentions = loaded(package, "testimonies_joined"), loaded(package, "mentions")
    for row in joined.to_dict("records"):
        theirs = mentions[(mentions["speaker_id"] == row["speaker_id"]) & (mentions["source_id"] == row["source_id"])]
        assert theirs.sort_values("start")["mention_id"].iloc[0] == row["mention_id"]


def test_of_protected_persons_the_joined_table_has_no_name_and_nothing_that_a_mention_states(package: Path) -> None:
    joined = loaded(package, "testimonies_joined")
    protected = joined[joined["speaker_protected"]]
    assert len(protected) > 1
    stated = ["speaker_gender", "mention_rank", "mention_age", "mention_years_of_service"]
    assert set(protected["speaker_name"].dropna()) == {"Iven"}  # the name that may be a pseudonym
    assert protected[[*stated, "mention_affiliation"]].isna().all(axis=None)
