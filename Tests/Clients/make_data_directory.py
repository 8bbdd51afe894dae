"""Makes the fixture of a release: a data folder as the recordd of that release leaves it.

    RECORDD=.build/debug/recordd python3 Tests/Clients/make_data_directory.py 0.1.0

Made once for each release, and never again: later versions have to open it.
"""
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

from daemon import CONTAINER, Certificate, Daemon, binary

FIXTURES = pathlib.Path(__file__).parent.parent / "Fixtures" / "data-directories"

SCHEMA = """DEFINE SCHEMA

    CREATE ROLE editor;

    RECORD TYPE Note (
        "___recordID" REFERENCE QUERYABLE,
        file          ASSET,
        parentNote    REFERENCE QUERYABLE,
        text          STRING QUERYABLE SEARCHABLE SORTABLE,
        GRANT WRITE TO "_creator",
        GRANT CREATE TO "_icloud",
        GRANT READ TO "_world"
    );
"""


def operation(name, fields, kind="forceUpdate"):
    record = {"recordName": name, "recordType": "Note", "fields": fields}
    return {"operationType": kind, "record": record}


def fill(daemon):
    """Writes some of everything, and tells what later versions have to find."""
    daemon.command("user", "add", "job", "--no-password")
    daemon.command("user", "roles", "owner", "--set", "editor")
    daemon.import_schema(SCHEMA)
    client = daemon.client()
    client.make_zone("Notes")
    zone = {"zoneName": "Notes"}
    place = client.call(
        "assets/upload",
        {"zoneID": zone, "tokens": [{"recordName": "a", "recordType": "Note", "fieldName": "file"}]})
    target = place["tokens"][0]["url"].removeprefix(daemon.url)
    _, stored = client.request("POST", target, b"the file's bytes")
    link = {"type": "REFERENCE", "value": {"recordName": "a", "action": "DELETE_SELF"}}
    client.call(
        "records/modify",
        {"zoneID": zone, "operations": [
            operation("a", {"text": {"value": "first"}, "file": {"value": stored["singleFile"]}}),
            operation("b", {"text": {"value": "second"}, "parentNote": link}),
            operation("gone", {"text": {"value": "deleted"}})]})
    token = client.call("changes/zone", {"zones": [{"zoneID": zone}]})["zones"][0]["syncToken"]
    client.call(
        "records/modify",
        {"zoneID": zone, "operations": [
            {"operationType": "forceDelete", "record": {"recordName": "gone"}}]})
    status, _ = client.request(
        "POST", f"/management/1/{CONTAINER}/schema/promote", b"{}",
        {"Authorization": f"Bearer {daemon.management_token}"})
    assert status == 200
    client.close()
    return {
        "apiToken": daemon.api_token, "managementToken": daemon.management_token,
        "webToken": daemon.command(
            "user", "token", "owner", "--container", CONTAINER, "--life", "3650d"),
        "syncTokenBeforeDeletion": token,
    }


def settle(folder):
    """Puts what is in write-ahead logs into the files, and leaves nothing beside them."""
    for file in folder.rglob("*.sqlite"):
        with sqlite3.connect(file) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        connection.close()
    for pattern in ["*.lock", "*-wal", "*-shm"]:
        for file in folder.rglob(pattern):
            file.unlink()
    # Folders without files are made again when they are needed.
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def main(release):
    target = FIXTURES / release
    if target.exists():
        sys.exit(f"{target} is there already: what a release has left is never made again")
    with Daemon() as daemon:
        facts = fill(daemon)
        if daemon.end() != 0:
            sys.exit("the daemon did not end well")
        shutil.copytree(daemon.data, target / "data")
    settle(target / "data")
    version = subprocess.run([binary(), "--version"], check=True, capture_output=True, text=True)
    facts["madeBy"] = version.stdout.strip()
    (target / "facts.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
