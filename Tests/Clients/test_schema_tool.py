"""syncctl manages the schema of a real recordd, over TLS."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from daemon import CONTAINER, Certificate, Daemon, binary

SYNCCTL = pathlib.Path(binary()).parent / "syncctl"

SCHEMA = """DEFINE SCHEMA

    RECORD TYPE Note (
        "___recordID" REFERENCE QUERYABLE,
        text          STRING QUERYABLE SEARCHABLE SORTABLE,
        GRANT WRITE TO "_creator",
        GRANT CREATE TO "_icloud",
        GRANT READ TO "_world"
    );
"""


class SchemaToolTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="schema-tool-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.certificate = Certificate(cls.folder.name)
        cls.daemon = cls.enterClassContext(Daemon(certificate=cls.certificate))
        cls.url = f"https://localhost:{cls.daemon.port}"

    def syncctl(self, *words, expected=0):
        done = subprocess.run(
            [SYNCCTL, *words, "--ca-file", self.certificate.authority], cwd=self.folder.name,
            capture_output=True, text=True,
            env={**os.environ, "CONTRAIL_MANAGEMENT_TOKEN": self.daemon.management_token})
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done.stdout

    def server(self, verb, *words, expected=0):
        return self.syncctl(
            "schema", verb, *words, "--server", self.url, "--container", CONTAINER,
            expected=expected)

    def file(self, name, text):
        (pathlib.Path(self.folder.name) / name).write_text(text, encoding="utf-8")
        return name

    def test_a_schema_is_imported_compared_promoted_and_exported(self):
        name = self.file("notes.ckdb", SCHEMA)
        self.server("import", name)
        self.assertIn("Note", self.server("diff"))
        self.server("promote")
        again = json.loads(self.server("promote", "--json"))
        self.assertFalse(again["changed"])
        exported = self.server("export", "--environment", "production")
        self.assertIn('text            STRING QUERYABLE SEARCHABLE SORTABLE', exported)
        self.assertIn("promoted", self.server("audit"))
        against = f"{self.url}/{CONTAINER}"
        self.syncctl("lint", self.file("same.ckdb", exported), "--against", against)
        smaller = exported.replace("        text            STRING QUERYABLE SEARCHABLE SORTABLE,\n", "")
        findings = self.syncctl(
            "lint", self.file("smaller.ckdb", smaller), "--against", against, expected=1)
        self.assertIn("field-removed", findings)
        self.server("import", "smaller.ckdb", expected=1)


if __name__ == "__main__":
    unittest.main()
