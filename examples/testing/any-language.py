"""Tests in any language over HTTP: `python3 any-language.py`. `mrc-explorer serve` runs the mock server on a port."""

import json
import os
import secrets
import signal
import subprocess
import unittest
import urllib.error
import urllib.request

ALICE = "0x" + "a1" * 20
BOB = "0x" + "b0" * 20


class Explorer:
    """A mock server on its own port."""

    def __init__(self):
        self.token = secrets.token_hex()
        self.process = subprocess.Popen(
            ["npx", "mrc-explorer", "serve", "--port", "0", "--admin"],
            env={**os.environ, "EXPLORER_ADMIN_TOKEN": self.token},
            stdout=subprocess.PIPE,
            text=True,
        )
        # It prints one line when it is ready: "... http://127.0.0.1:49152"
        self.url = next(word for word in self.process.stdout.readline().split() if word.startswith("http"))

    def fetch(self, path, body=None):
        request = urllib.request.Request(
            self.url + path,
            headers={"api-key": "any", "admin-token": self.token, "content-type": "application/json"},
            data=None if body is None else json.dumps(body).encode(),
        )
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def balance(self, account):
        return int(self.fetch("/v1/accounts/balance", {"addresses": [account]})["results"]["data"][0]["balance"])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.process.stdout.close()


class Payments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.explorer = Explorer()

    @classmethod
    def tearDownClass(cls):
        cls.explorer.stop()

    def setUp(self):
        self.explorer.fetch("/admin/reset", {})

    def test_shows_a_payment_once_it_is_mined(self):
        self.explorer.fetch(
            "/admin/mine",
            {
                "fund": [{"address": ALICE, "value": str(10**18)}],
                "transfers": [{"from": ALICE, "to": BOB, "value": "7"}],
            },
        )
        self.assertEqual(self.explorer.balance(BOB), 7)

    def test_starts_each_test_with_the_initial_chain(self):
        self.assertEqual(self.explorer.balance(BOB), 0)

    def test_fails_if_the_explorer_is_busy(self):
        self.explorer.fetch("/admin/faults", {"fault": "status", "status": 503, "once": True})
        with self.assertRaises(urllib.error.HTTPError) as busy:
            self.explorer.balance(BOB)
        self.assertEqual(busy.exception.code, 503)
        busy.exception.close()
        self.assertEqual(self.explorer.balance(BOB), 0)


if __name__ == "__main__":
    unittest.main()
