"""pyicloud's CloudKit client, unmodified, against a real recordd over TLS.

Every answer is held to pyicloud's own models, which here forbid what they do not know.
"""
import tempfile
import unittest

import requests
from pyicloud.common.cloudkit.client import (
    CloudKitApiError,
    CloudKitAuthError,
    CloudKitContainerClient,
)
from pyicloud.common.cloudkit.models import (
    CKErrorItem,
    CKModifyOperation,
    CKQueryFilterBy,
    CKQueryObject,
    CKQuerySortBy,
    CKWriteRecord,
    CKZoneChangesZoneReq,
    CKZoneID,
    CKZoneIDReq,
)

from daemon import Certificate, Daemon

NOTES = 12

# Queries without a filter need an index that no save makes, here as at Apple.
SCHEMA = """
DEFINE SCHEMA
  RECORD TYPE Note (
    "___recordID" REFERENCE QUERYABLE,
    title STRING QUERYABLE SORTABLE,
    rank INT64 QUERYABLE SORTABLE,
    GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
  );
"""


def operation(kind, name, tag=None, **fields):
    record = CKWriteRecord(recordName=name, recordType="Note", recordChangeTag=tag, fields=fields)
    return CKModifyOperation(operationType=kind, record=record)


def text(value):
    return {"value": value, "type": "STRING"}


def number(value):
    return {"value": value, "type": "INT64"}


def names(records):
    return [record.recordName for record in records]


class PyiCloud(unittest.TestCase):
    """One server for all; each test has a zone of its own."""

    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.certificate = Certificate(folder)
        cls.daemon = cls.enterClassContext(Daemon(certificate=cls.certificate))
        cls.daemon.import_schema(SCHEMA)
        cls.session = cls.enterClassContext(requests.Session())
        # The environment may name other authorities, and proxies.
        cls.session.trust_env = False
        cls.session.verify = cls.certificate.authority

    def setUp(self):
        self.client = self.client_for("private", self.daemon.credentials())
        self.zone_name = self.id().rsplit(".", 1)[-1].removeprefix("test_")
        self.zone = CKZoneIDReq(zoneName=self.zone_name)
        operation = {"operationType": "create", "zone": {"zoneID": {"zoneName": self.zone_name}}}
        self.client.raw_post("/zones/modify", {"operations": [operation]})

    def client_for(self, database, credentials, extra="forbid"):
        return CloudKitContainerClient(
            self.daemon.base_url(database), self.session, credentials, validation_extra=extra)

    def modify(self, *operations, atomic=None):
        return self.client.modify(operations=list(operations), zone_id=self.zone, atomic=atomic)

    def fill(self):
        self.modify(*(
            operation("create", f"note{i:02}", title=text(f"Title {i:02}"), rank=number(i % 3))
            for i in range(NOTES)))

    def changes(self, token=None, **wishes):
        request = CKZoneChangesZoneReq(
            zoneID=CKZoneID(zoneName=self.zone_name), syncToken=token, **wishes)
        return self.client.changes(zone_req=request).zones[0]

    # Zones

    def test_zones_are_listed(self):
        # Apple's documents give zones a key `atomic`, which these models do not name.
        client = self.client_for("private", self.daemon.credentials(), extra="allow")
        zones = {zone.zoneID.zoneName: zone for zone in client.zones_list().zones}
        self.assertEqual(zones["_defaultZone"].model_extra, {"atomic": False})
        self.assertEqual(zones[self.zone_name].model_extra, {"atomic": True})
        self.assertIsNotNone(zones[self.zone_name].syncToken)

    def test_the_database_tells_which_zones_changed_since_a_token(self):
        before = self.client.database_changes()
        self.assertIn(self.zone_name, [zone.zoneID.zoneName for zone in before.zones])
        self.modify(operation("create", "one"))
        after = self.client.database_changes(sync_token=before.syncToken)
        self.assertEqual([zone.zoneID.zoneName for zone in after.zones], [self.zone_name])
        self.assertFalse(after.moreComing)
        rest = self.client.database_changes(sync_token=after.syncToken)
        self.assertEqual(rest.zones, [])

    def test_a_zone_that_was_deleted_is_told_by_the_database(self):
        before = self.client.database_changes()
        operation = {"operationType": "delete", "zone": {"zoneID": {"zoneName": self.zone_name}}}
        self.client.raw_post("/zones/modify", {"operations": [operation]})
        after = self.client.database_changes(sync_token=before.syncToken)
        self.assertEqual(
            [(zone.zoneID.zoneName, zone.deleted) for zone in after.zones], [(self.zone_name, True)])
        with self.assertRaisesRegex(CloudKitApiError, "ZONE_NOT_FOUND"):
            self.changes()

    # Modify and lookup

    def test_every_kind_of_field_comes_back_as_it_was_sent(self):
        fields = {
            "text": text("Grüße 👋"),
            "count": number(-(2**63)),
            "ratio": {"value": 2.5, "type": "DOUBLE"},
            "moment": {"value": 1700000000123, "type": "TIMESTAMP"},
            "bytes": {"value": "AAECAw==", "type": "BYTES"},
            "link": {"value": {"recordName": "one", "action": "NONE"}, "type": "REFERENCE"},
            "texts": {"value": ["a", "b"], "type": "STRING_LIST"},
            "counts": {"value": [1, 2], "type": "INT64_LIST"},
            "ratios": {"value": [0.5, 1.5], "type": "DOUBLE_LIST"},
            "links": {"value": [{"recordName": "one", "action": "NONE"}], "type": "REFERENCE_LIST"},
        }
        [saved] = self.modify(operation("create", "one", **fields)).records
        [found] = self.client.lookup(["one"], zone_id=self.zone).records
        self.assertEqual(saved, found)
        self.assertEqual(set(found.fields), set(fields))
        for name, field in fields.items():
            self.assertEqual(found.fields[name].type_tag, field["type"], name)
        self.assertEqual(found.fields.text.value, "Grüße 👋")
        self.assertEqual(found.fields.count.value, -(2**63))
        self.assertEqual(found.fields.ratio.value, 2.5)
        self.assertEqual(round(found.fields.moment.value.timestamp() * 1000), 1700000000123)
        self.assertEqual(found.fields.bytes.value, b"\x00\x01\x02\x03")
        self.assertEqual(found.fields.link.value.recordName, "one")
        self.assertEqual(found.fields.texts.value, ["a", "b"])
        self.assertEqual(found.fields.links.value[0].recordName, "one")

    def test_an_update_keeps_the_other_fields_and_a_replacement_drops_them(self):
        [made] = self.modify(operation("create", "one", title=text("a"), rank=number(1))).records
        [updated] = self.modify(
            operation("update", "one", made.recordChangeTag, title=text("b"))).records
        self.assertEqual(
            {key: field.value for key, field in updated.fields.items()}, {"title": "b", "rank": 1})
        [replaced] = self.modify(
            operation("replace", "one", updated.recordChangeTag, title=text("c"))).records
        self.assertEqual({key: field.value for key, field in replaced.fields.items()}, {"title": "c"})
        self.assertEqual(len({made.recordChangeTag, updated.recordChangeTag, replaced.recordChangeTag}), 3)

    def test_a_stale_tag_is_refused_and_the_atomic_batch_with_it(self):
        [made] = self.modify(operation("create", "one", title=text("a"))).records
        self.modify(operation("update", "one", made.recordChangeTag, title=text("b")))
        with self.assertRaises(CloudKitApiError) as raised:
            self.modify(
                operation("create", "two"),
                operation("update", "one", made.recordChangeTag, title=text("c")), atomic=True)
        codes = [record["serverErrorCode"] for record in raised.exception.payload["records"]]
        self.assertEqual(codes, ["ATOMIC_ERROR", "CONFLICT"])
        one, two = self.client.lookup(["one", "two"], zone_id=self.zone).records
        self.assertEqual(one.fields.title.value, "b")
        self.assertIsInstance(two, CKErrorItem)
        self.assertEqual(two.serverErrorCode, "NOT_FOUND")

    def test_a_record_that_is_there_already_is_not_created_again(self):
        self.modify(operation("create", "one"))
        with self.assertRaisesRegex(CloudKitApiError, "EXISTS"):
            self.modify(operation("create", "one"))

    def test_lookup_sends_only_the_keys_that_are_wanted(self):
        self.modify(operation("create", "one", title=text("a"), rank=number(1)))
        [found] = self.client.lookup(["one"], zone_id=self.zone, desired_keys=["rank"]).records
        self.assertEqual(list(found.fields), ["rank"])

    # Changes

    def test_changes_of_a_zone_are_sent_once_with_deletions(self):
        self.fill()
        first = self.changes()
        self.assertEqual(names(first.records), [f"note{i:02}" for i in range(NOTES)])
        self.modify(operation("forceDelete", "note03"), operation("forceUpdate", "note01", rank=number(9)))
        second = self.changes(first.syncToken)
        self.assertEqual(sorted(names(second.records)), ["note01", "note03"])
        by_name = {record.recordName: record for record in second.records}
        self.assertTrue(by_name["note03"].deleted)
        self.assertEqual(by_name["note01"].fields.rank.value, 9)
        self.assertEqual(self.changes(second.syncToken).records, [])

    def test_changes_come_in_pages(self):
        self.fill()
        request = CKZoneChangesZoneReq(zoneID=CKZoneID(zoneName=self.zone_name))
        pages = list(self.client.iter_changes(zone_req=request, results_limit=5))
        self.assertEqual([page.moreComing for page in pages], [True] * (len(pages) - 1) + [False])
        self.assertGreater(len(pages), 1)
        found = [name for page in pages for name in names(page.records)]
        self.assertEqual(found, [f"note{i:02}" for i in range(NOTES)])

    def test_changes_have_the_keys_and_types_that_are_wanted(self):
        self.fill()
        wanted = self.changes(desiredKeys=["rank"], desiredRecordTypes=["Note"])
        self.assertEqual({tuple(record.fields) for record in wanted.records}, {("rank",)})
        self.assertEqual(self.changes(desiredRecordTypes=["Other"]).records, [])

    def test_a_token_of_another_zone_is_refused(self):
        self.fill()
        token = self.changes().syncToken
        other = CKZoneChangesZoneReq(zoneID=CKZoneID(zoneName="_defaultZone"), syncToken=token)
        with self.assertRaises(CloudKitApiError):
            self.client.changes(zone_req=other)

    # Queries

    def query(self, filters=None, sort=None, **wishes):
        query = CKQueryObject(recordType="Note", filterBy=filters, sortBy=sort)
        return self.client.query(query=query, zone_id=self.zone, **wishes)

    def test_a_query_filters(self):
        self.fill()
        rank = CKQueryFilterBy(comparator="EQUALS", fieldName="rank", fieldValue=number(1))
        self.assertEqual(
            sorted(names(self.query([rank]).records)), ["note01", "note04", "note07", "note10"])
        title = CKQueryFilterBy(
            comparator="GREATER_THAN_OR_EQUALS", fieldName="title", fieldValue=text("Title 05"))
        self.assertEqual(sorted(names(self.query([rank, title]).records)), ["note07", "note10"])
        either = CKQueryFilterBy(
            comparator="IN", fieldName="title",
            fieldValue={"value": ["Title 02", "Title 03"], "type": "STRING_LIST"})
        self.assertEqual(sorted(names(self.query([either]).records)), ["note02", "note03"])

    def test_a_query_sorts_and_goes_on_where_it_stopped(self):
        self.fill()
        sort = [
            CKQuerySortBy(fieldName="rank", ascending=False),
            CKQuerySortBy(fieldName="title", ascending=True),
        ]
        found, marker, pages = [], None, 0
        while pages == 0 or marker:
            answer = self.query(sort=sort, results_limit=5, continuation=marker)
            found += names(answer.records)
            marker, pages = answer.continuationMarker, pages + 1
            self.assertLessEqual(pages, NOTES)
        expected = sorted(range(NOTES), key=lambda i: (-(i % 3), i))
        self.assertEqual(found, [f"note{i:02}" for i in expected])
        self.assertEqual(pages, 3)

    def test_a_query_sends_only_the_keys_that_are_wanted(self):
        self.fill()
        records = self.query(desired_keys=["title"]).records
        self.assertEqual({tuple(record.fields) for record in records}, {("title",)})

    def test_a_query_in_all_zones_finds_this_one(self):
        self.modify(operation("create", "far", title=text("only here")))
        title = CKQueryFilterBy(comparator="EQUALS", fieldName="title", fieldValue=text("only here"))
        query = CKQueryObject(recordType="Note", filterBy=[title])
        found = self.client.query(query=query, zone_wide=True).records
        self.assertEqual([(record.recordName, record.zoneID.zoneName) for record in found],
                         [("far", self.zone_name)])

    def test_answers_have_the_tokens_that_are_asked_for(self):
        parameters = {**self.daemon.credentials(), "getCurrentSyncToken": True, "remapEnums": True}
        client = CloudKitContainerClient(
            self.daemon.base_url(), self.session, parameters, validation_extra="forbid",
            bool_param_style="lower")
        saved = client.modify(operations=[operation("create", "one")], zone_id=self.zone)
        self.assertIsNotNone(saved.syncToken)
        self.assertEqual(self.changes(saved.syncToken).records, [])
        query = CKQueryObject(recordType="Note")
        self.assertIsNotNone(client.query_sync_token(query=query, zone_id=self.zone))

    # Assets

    def test_an_asset_is_uploaded_and_comes_back_byte_for_byte(self):
        data = bytes(range(256)) * 5000
        token = self.client.upload_asset(
            record_type="Note", field_name="file", record_name="one", data=data, zone_id=self.zone)
        self.assertEqual(token.size, len(data))
        self.modify(operation(
            "create", "one",
            file={"value": token.model_dump(mode="json", exclude_none=True), "type": "ASSETID"}))
        [found] = self.client.lookup(["one"], zone_id=self.zone).records
        asset = found.fields.file.value
        self.assertEqual((asset.size, asset.fileChecksum), (len(data), token.fileChecksum))
        self.assertEqual(self.client.download_asset_bytes(asset.downloadURL), data)
        parts = list(self.client.download_asset_stream(asset.downloadURL, chunk_size=100_000))
        self.assertEqual(b"".join(parts), data)

    # Who may

    def test_a_private_database_needs_a_user(self):
        client = self.client_for("private", {"ckAPIToken": self.daemon.api_token})
        with self.assertRaises(CloudKitApiError) as raised:
            client.zones_list()
        payload = raised.exception.payload
        self.assertEqual(payload["serverErrorCode"], "AUTHENTICATION_REQUIRED")
        self.assertTrue(payload["redirectURL"].startswith(self.daemon.url))

    def test_a_wrong_token_is_refused(self):
        client = self.client_for("private", {"ckAPIToken": "0" * 64, "ckWebAuthToken": "x"})
        with self.assertRaises(CloudKitAuthError):
            client.zones_list()


if __name__ == "__main__":
    unittest.main()
