"""Data folders of every release open, and hold what was put into them."""
import json
import pathlib
import shutil
import unittest

from daemon import CONTAINER, Daemon

FIXTURES = pathlib.Path(__file__).parent.parent / "Fixtures" / "data-directories"
ZONE = {"zoneName": "Notes"}


class OldFolder(Daemon):
    """A recordd that serves a copy of what an earlier release has left."""

    def __init__(self, release):
        super().__init__()
        self.facts = json.loads((release / "facts.json").read_text(encoding="utf-8"))
        shutil.copytree(release / "data", self.data)

    def _read_introduction(self):
        # It is no first start: the tokens are those of then.
        self.api_token = self.facts["apiToken"]
        self.web_token = self.facts["webToken"]
        self.management_token = self.facts["managementToken"]


class UpgradeTests(unittest.TestCase):
    def releases(self):
        found = sorted(path for path in FIXTURES.iterdir() if path.is_dir())
        self.assertTrue(found)
        return found

    def each(self, check):
        for release in self.releases():
            with self.subTest(release=release.name), OldFolder(release) as daemon:
                client = daemon.client()
                check(daemon, client)
                client.close()

    def test_records_and_files_are_there_and_tokens_are_still_good(self):
        def check(daemon, client):
            names = [{"recordName": name} for name in ["a", "b", "gone"]]
            records = client.call("records/lookup", {"zoneID": ZONE, "records": names})["records"]
            self.assertEqual(
                [record.get("fields", {}).get("text", {}).get("value") for record in records],
                ["first", "second", None])
            address = records[0]["fields"]["file"]["value"]["downloadURL"]
            _, data = client.request("GET", address.removeprefix(daemon.url))
            self.assertEqual(data, b"the file's bytes")

        self.each(check)

    def test_a_token_of_then_tells_what_was_deleted_since(self):
        def check(daemon, client):
            token = daemon.facts["syncTokenBeforeDeletion"]
            page = client.call("changes/zone", {"zones": [{"zoneID": ZONE, "syncToken": token}]})
            told = [(record["recordName"], record["deleted"]) for record in page["zones"][0]["records"]]
            self.assertEqual(told, [("gone", True)])

        self.each(check)

    def test_queries_and_saves_go_on(self):
        def check(_, client):
            equals = {
                "comparator": "EQUALS", "fieldName": "text",
                "fieldValue": {"value": "second", "type": "STRING"}}
            query = {"recordType": "Note", "filterBy": [equals]}
            found = client.call("records/query", {"zoneID": ZONE, "query": query})["records"]
            self.assertEqual([record["recordName"] for record in found], ["b"])
            deletion = {"operationType": "forceDelete", "record": {"recordName": "a"}}
            client.call("records/modify", {"zoneID": ZONE, "operations": [deletion]})
            names = [{"recordName": "a"}, {"recordName": "b"}]
            left = client.call("records/lookup", {"zoneID": ZONE, "records": names})["records"]
            self.assertEqual([entry.get("serverErrorCode") for entry in left], ["NOT_FOUND"] * 2)

        self.each(check)

    def test_what_was_promoted_is_in_production(self):
        def check(daemon, client):
            status, answer = client.request(
                "GET", f"/management/1/{CONTAINER}/schema/export?environment=production", None,
                {"Authorization": f"Bearer {daemon.management_token}"})
            self.assertEqual(status, 200)
            self.assertIn("RECORD TYPE Note", answer["schema"])
            self.assertIn("CREATE ROLE editor", answer["schema"])

        self.each(check)


if __name__ == "__main__":
    unittest.main()
