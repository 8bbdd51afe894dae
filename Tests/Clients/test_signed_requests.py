"""requests-cloudkit's signatures of server-to-server requests, against a real recordd."""
import base64
import datetime
import hashlib
import json
import os
import subprocess
import unittest
import unittest.mock

import ecdsa
import requests
import requests_cloudkit.cloudkit
from requests_cloudkit import CloudKitAuth

from daemon import CONTAINER, Daemon

SCHEMA = """
DEFINE SCHEMA
  RECORD TYPE Item (
    "___recordID" REFERENCE QUERYABLE,
    n INT64 QUERYABLE,
    GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
  );
"""


class Auth(CloudKitAuth):
    """The package as it is, but for texts that Python 3 wants as bytes."""

    def make_signature(self, formatted_date, body, path):
        text = f"{formatted_date}:{self.encode_body(body)}:{path}"
        with open(self.key_file_name, encoding="ascii") as file:
            key = ecdsa.SigningKey.from_pem(file.read())
        signature = key.sign(
            text.encode(), hashfunc=hashlib.sha256, sigencode=ecdsa.util.sigencode_der)
        return base64.b64encode(signature).decode()

    def encode_body(self, body):
        if isinstance(body, str):
            body = body.encode()
        return base64.b64encode(hashlib.sha256(body or b"").digest()).decode()


class ChangedBody(Auth):
    """Signs one body and sends another."""

    def __call__(self, request):
        signed = super().__call__(request)
        signed.body = signed.body.replace(b"Item", b"Memo")
        return signed


def clock(minutes):
    """The package's view of the time, so many minutes off."""
    moved = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=minutes)
    fake = unittest.mock.Mock()
    fake.datetime.now.return_value = moved
    return unittest.mock.patch.object(requests_cloudkit.cloudkit, "datetime", fake)


class SignedRequests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon())
        cls.daemon.import_schema(SCHEMA)
        cls.session = cls.enterClassContext(requests.Session())
        cls.session.trust_env = False
        cls.key = cls.make_key("key")
        cls.other_key = cls.make_key("other")
        public = cls.key + ".public"
        subprocess.run(
            ["openssl", "ec", "-in", cls.key, "-pubout", "-out", public],
            check=True, capture_output=True)
        cls.key_id = cls.daemon.command("key", "add", "nightly", public, "--container", CONTAINER)

    @classmethod
    def make_key(cls, name):
        path = os.path.join(cls.daemon.folder, name)
        subprocess.run(
            ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path],
            check=True, capture_output=True)
        return path

    def post(self, path, body, auth=None, database="public", **options):
        """Sends what requests-cloudkit's users send: a text."""
        return self.session.post(
            f"{self.daemon.base_url(database)}/{path}", data=json.dumps(body).encode(),
            auth=auth or Auth(self.key_id, self.key), timeout=60, **options)

    def create(self, name, auth=None, **options):
        record = {"recordName": name, "recordType": "Item", "fields": {"n": {"value": 1}}}
        body = {"operations": [{"operationType": "create", "record": record}]}
        return self.post("records/modify", body, auth, **options)

    def assert_refused(self, answer):
        self.assertEqual(answer.status_code, 401)
        self.assertEqual(answer.json()["serverErrorCode"], "AUTHENTICATION_FAILED")

    def test_a_signed_request_writes_to_the_public_database_and_reads_it(self):
        answer = self.create("one")
        self.assertEqual(answer.status_code, 200, answer.text)
        self.assertNotIn("serverErrorCode", answer.json()["records"][0])
        found = self.post("records/lookup", {"records": [{"recordName": "one"}]})
        self.assertEqual(found.json()["records"][0]["fields"]["n"], {"value": 1, "type": "INT64"})

    def test_a_signed_request_queries_the_public_database(self):
        self.create("found").raise_for_status()
        found = self.post("records/query", {"query": {"recordType": "Item"}})
        self.assertEqual(found.status_code, 200, found.text)
        self.assertIn("found", [record["recordName"] for record in found.json()["records"]])

    def test_a_query_in_the_address_is_part_of_what_is_signed(self):
        answer = self.create("two", params={"clientId": "a b", "ckjsVersion": "2.6.1"})
        self.assertEqual(answer.status_code, 200, answer.text)

    def test_a_request_without_a_body_is_signed_too(self):
        answer = self.session.get(
            f"{self.daemon.base_url('public')}/zones/list", auth=Auth(self.key_id, self.key), timeout=60)
        self.assertEqual(answer.status_code, 200, answer.text)

    def test_a_key_asks_for_the_public_database_only(self):
        answer = self.post("zones/list", {}, database="private")
        self.assertIn(answer.status_code, (401, 403, 421), answer.text)

    def test_a_wrong_key_is_refused(self):
        self.assert_refused(self.create("three", Auth(self.key_id, self.other_key)))

    def test_an_unknown_key_is_refused(self):
        self.assert_refused(self.create("four", Auth("0" * 64, self.key)))

    def test_a_changed_body_is_refused(self):
        self.assert_refused(self.create("five", ChangedBody(self.key_id, self.key)))
        gone = self.post("records/lookup", {"records": [{"recordName": "five"}]})
        self.assertEqual(gone.json()["records"][0]["serverErrorCode"], "NOT_FOUND")

    def test_dates_that_lie_far_off_are_refused(self):
        for minutes in (-60, 60):
            with clock(minutes):
                self.assert_refused(self.create("six"))

    def test_dates_that_lie_a_little_off_are_taken(self):
        for minutes in (-5, 5):
            with clock(minutes):
                answer = self.create(f"seven{minutes}")
                self.assertEqual(answer.status_code, 200, answer.text)


if __name__ == "__main__":
    unittest.main()
