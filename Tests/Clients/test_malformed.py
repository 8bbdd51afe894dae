"""Requests that break the rules, or stretch them, against the whole daemon: each is refused, none is
taken for two, nothing that came in comes out as a header, and the server goes on.
"""
import gzip
import json
import unittest

from daemon import Daemon
from raw import Raw, head, header_lines, statuses

ZONE = {"zoneName": "zone"}
MEBIBYTE = 1 << 20


def create(name, kind="Thing", fields=None):
    record = {"recordName": name, "recordType": kind, "fields": fields or {}}
    return {"operationType": "create", "record": record}


class Malformed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = cls.enterClassContext(Daemon())
        cls.client = cls.daemon.client()
        cls.addClassCleanup(cls.client.close)
        cls.client.make_zone("zone")

    def setUp(self):
        self.modify = self.client.target("records/modify")

    def tearDown(self):
        # The server goes on, whatever the test did.
        answer = self.client.call("records/lookup", {"zoneID": ZONE, "records": [{"recordName": "smuggled"}]})
        self.assertEqual(answer["records"][0]["serverErrorCode"], "NOT_FOUND")
        self.assertEqual(self.daemon.log().count("level=error"), 0)

    def exchange(self, data):
        with Raw(self.daemon, timeout=5) as raw:
            raw.send(data)
            return raw.receive_all()

    def smuggled(self):
        body = json.dumps({"zoneID": ZONE, "operations": [create("smuggled")]}).encode()
        return head(self.modify, f"Content-Length: {len(body)}") + body

    # What proxies and servers could read differently

    def test_a_second_request_cannot_hide_in_the_first(self):
        inner = self.smuggled()
        chunk = f"{len(inner):x}\r\n".encode() + inner + b"\r\n0\r\n\r\n"
        zero = b"0\r\n\r\n" + inner
        target = self.client.target("records/lookup")
        cases = {
            "length and coding": head(target, "Content-Length: 4", "Transfer-Encoding: chunked") + zero,
            "coding and length": head(target, "Transfer-Encoding: chunked", "Content-Length: 4") + zero,
            "two lengths": head(target, "Content-Length: 0", f"Content-Length: {len(inner)}") + inner,
            "a list of lengths": head(target, f"Content-Length: 0, {len(inner)}") + inner,
            "a signed length": head(target, "Content-Length: +0") + inner,
            "a length with a space": head(target, "Content-Length: 1 0") + inner,
            "a space before the colon": head(target, "Content-Length : 0") + inner,
            "a folded header": head(target, "X: a\r\n Content-Length: 0") + inner,
            "a bare line feed": head(target, "X: a\nContent-Length: 0") + inner,
            "a bare carriage return": head(target, "X: a\rContent-Length: 0") + inner,
            "a null": head(target, "X: a\0b") + inner,
            "an unknown coding": head(target, "Transfer-Encoding: identity") + inner,
            "two codings": head(target, "Transfer-Encoding: chunked, chunked") + zero,
            "a coding that looks like one": head(target, "Transfer-Encoding: xchunked") + zero,
            "a chunk size that is none": head(target, "Transfer-Encoding: chunked") + b"0x0\r\n\r\n" + inner,
            "a chunk that is longer": head(target, "Transfer-Encoding: chunked") + b"1\r\nab" + chunk,
            "a chunk with a bare line feed": head(target, "Transfer-Encoding: chunked") + b"0\n\n" + inner,
            "two hosts": head(target, "Host: other") + inner,
        }
        for name, data in cases.items():
            with self.subTest(name):
                answer = self.exchange(data)
                self.assertEqual(len(statuses(answer)), 1, answer)
                self.assertIn(statuses(answer)[0], (400, 501), answer)
                self.assertIn(b"Connection: close", header_lines(answer))

    def test_a_request_in_the_body_of_another_stays_a_body(self):
        inner = self.smuggled()
        answer = self.exchange(
            head(self.client.target("records/lookup"), f"Content-Length: {len(inner)}", "Connection: close")
            + inner)
        self.assertEqual(statuses(answer), [400])

    # What is too large

    def test_what_is_too_large_is_refused(self):
        target = self.modify
        bomb = gzip.compress(bytes(64 * MEBIBYTE))
        cases = {
            "a head": (head(target, "X: " + "a" * 40_000), 431),
            "a header of many lines": (head(target, *["X: a"] * 1000), 431),
            "a target": (head("/" + "a" * 10_000), 414),
            "a method": (head("/", method="A" * 1000), 501),
            "a body that is announced": (head(target, f"Content-Length: {17 * MEBIBYTE}"), 413),
            "a body beyond all numbers": (head(target, "Content-Length: " + "9" * 40), (400, 413)),
            "a chunk that is announced": (
                head(target, "Transfer-Encoding: chunked") + b"7fffffffffffff\r\n", 413),
            "a chunk beyond all numbers": (
                head(target, "Transfer-Encoding: chunked") + b"f" * 40 + b"\r\n", (400, 413)),
            "a body that unpacks to more": (
                head(target, "Content-Encoding: gzip", f"Content-Length: {len(bomb)}") + bomb, 413),
            "a body for a small page": (head("/signin", f"Content-Length: {MEBIBYTE}"), 413),
        }
        for name, (data, expected) in cases.items():
            with self.subTest(name):
                answer = self.exchange(data)
                self.assertEqual(len(statuses(answer)), 1, answer[:500])
                self.assertIn(statuses(answer)[0], expected if isinstance(expected, tuple) else (expected,))

    # What is no message of the protocol

    def test_bodies_that_say_nothing_are_bad_requests(self):
        deep = 100_000
        cases = {
            "nothing": b"",
            "no JSON": b"hello",
            "half of it": b'{"operations":[',
            "two of it": b"{}{}",
            "no object": b"[]",
            "a deep list": b"[" * deep + b"]" * deep,
            "a deep list in a field": (
                b'{"operations":[{"operationType":"create","record":{"recordType":"T","fields":{"f":{"value":'
                + b"[" * deep + b"]" * deep + b"}}}}]}"),
            "a deep object in a key nobody reads": b'{"x":' * deep + b"1" + b"}" * deep,
            "bytes that are no text": b'{"zoneID":{"zoneName":"\xff\xfe"}}',
            "half a character": b'{"zoneID":{"zoneName":"\\ud800"}}',
            "a byte order mark": b"\xef\xbb\xbf{}",
            "no number": b'{"resultsLimit":NaN}',
            "no operations": b'{"operations":7}',
            "an operation that is none": b'{"operations":[null]}',
            "a kind that is none": b'{"operations":[{"operationType":"explode","record":{}}]}',
        }
        for name, body in cases.items():
            with self.subTest(name):
                status, answer = self.client.request("POST", self.modify, body)
                self.assertEqual((status, answer["serverErrorCode"]), (400, "BAD_REQUEST"), answer)

    def test_requests_beyond_the_limits_are_refused_and_change_nothing(self):
        text = {"value": "x" * 2_000_000}
        cases = {
            "operations": [create(f"smuggled{i}") for i in range(201)],
            "one record twice": [create("smuggled"), create("smuggled")],
            "a long name": [create("n" * 300)],
            "a long type": [create("smuggled", "T" * 300)],
            "a large record": [create("smuggled", fields={"text": text})],
            "many fields": [create("smuggled", fields={f"f{i}": {"value": 1} for i in range(2000)})],
            "a long field name": [create("smuggled", fields={"f" * 300: {"value": 1}})],
            "a number beyond all": [create("smuggled", fields={"n": {"value": 1 << 70, "type": "INT64"}})],
            "a list of everything": [create("smuggled", fields={"n": {"value": [1, "a", None]}})],
        }
        for name, operations in cases.items():
            with self.subTest(name):
                status, answer = self.client.post(
                    "records/modify", {"zoneID": ZONE, "operations": operations})
                self.assertIn(status, (200, 400), answer)
                code = (answer if status == 400 else answer["records"][0])["serverErrorCode"]
                self.assertIn(code, ("BAD_REQUEST", "ATOMIC_ERROR", "QUOTA_EXCEEDED"), answer)

    def test_tokens_that_are_made_up_are_refused(self):
        for token in ["", "x", "AQ", "A" * 4000, "AQHr7pqButWgqOsBAAAVCXE6", "../../etc", "\0"]:
            with self.subTest(token):
                answer = self.client.post(
                    "changes/zone", {"zones": [{"zoneID": ZONE, "syncToken": token}]})
                self.assertIn("serverErrorCode", str(answer))
                self.assertIn(answer[0], (200, 400))

    def test_paths_that_lead_nowhere_are_not_found(self):
        base = "/database/1/contrail.local/development/private"
        paths = [
            "/", "//", "/..", "/database", "/database/1", f"{base}/", f"{base}/records", f"{base}/records/",
            f"{base}/records/modify/", f"{base}/records/explode", f"{base}/records%2Fexplode",
            f"{base}/../../../../management", "/database/2/contrail.local/development/private/records/modify",
            "/assets/1/contrail.local/development/download/..%2F..%2F..%2Faccounts.sqlite",
            "/assets/1/contrail.local/development/download/%00", "/%zz", "/" + "a/" * 4000,
        ]
        query = self.modify.partition("?")[2]
        for path in paths:
            with self.subTest(path[:80]):
                status, _ = self.client.request("GET", f"{path}?{query}")
                self.assertIn(status, (400, 401, 404, 405), path)

    # What comes in and goes out again

    def test_what_a_client_sends_never_becomes_a_header(self):
        bad = ["https://a.example\r\nSet-Cookie: a=b", "https://a.example%0d%0aSet-Cookie: a=b",
               "https://a.example\tSet-Cookie: a=b", "\xe9\xff", "null", "*", "a" * 5000]
        for origin in bad:
            for method in ("OPTIONS", "POST"):
                with self.subTest(origin=origin[:60], method=method):
                    answer = self.exchange(head(
                        self.modify, f"Origin: {origin}", "Content-Length: 2", "Connection: close",
                        "Access-Control-Request-Method: POST", method=method) + b"{}")
                    names = [line.split(b":")[0].lower() for line in header_lines(answer)]
                    self.assertNotIn(b"set-cookie", names)
                    self.assertEqual(len(statuses(answer)), 1, answer)
                    self.assertLess(statuses(answer)[0], 500)

    def test_the_address_to_sign_in_and_its_page_hold_no_markup_of_others(self):
        origin = 'https://a.example"><script>alert(1)</script>'
        target = self.client.target("zones/list").split("&ckWebAuthToken")[0]
        status, answer = self.client.request("POST", target, b"{}", {"Origin": origin})
        self.assertEqual(status, 421)
        address = answer["redirectURL"]
        self.assertTrue(address.startswith(self.daemon.url + "/signin?token="))
        for character in '"<>\r\n ':
            self.assertNotIn(character, address)
        _, page = self.client.request("GET", address.removeprefix(self.daemon.url))
        self.assertNotIn(b"<script>alert", page)
        split = address.removeprefix(self.daemon.url) + "%0d%0aSet-Cookie:%20a=b"
        self.client.request("GET", split)
        self.assertNotIn("set-cookie", self.client.headers)


if __name__ == "__main__":
    unittest.main()
