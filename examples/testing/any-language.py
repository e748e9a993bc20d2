"""Tests in any language over HTTP: `python3 any-language.py`. The clients are made from the OpenAPI documents; other generators read them, too."""

import json
import os
import secrets
import subprocess
import unittest
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

BOB = "0x" + "b0" * 20


class Client:
    """The operations of an OpenAPI document by their operationId: `client("blocks.get", block_number=1)`."""

    def __init__(self, url, headers, document):
        self.url = url
        self.headers = {"content-type": "application/json", **headers}
        with urlopen(Request(document, headers=headers)) as response:
            paths = json.load(response)["paths"]
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation["parameters"])
            for path, methods in paths.items()
            for method, operation in methods.items()
        }

    def __call__(self, operation, /, **given):
        method, path, parameters = self.operations[operation]
        query = {}
        for name, place in [(one["name"], one["in"]) for one in parameters if one["name"] in given]:
            value = str(given.pop(name))
            if place == "path":
                path = path.replace("{" + name + "}", quote(value, safe=""))
            else:
                query[name] = value
        # What is in neither path nor query is in the body.
        body = json.dumps(given).encode() if method == "POST" else None
        url = f"{self.url}{path}?{urlencode(query)}"
        with urlopen(Request(url, body, self.headers, method=method)) as response:
            return json.load(response)


class Payments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        token = secrets.token_hex()
        cls.process = subprocess.Popen(
            ["npx", "mrc-explorer", "serve", "--port", "0", "--admin"],
            env={**os.environ, "EXPLORER_ADMIN_TOKEN": token},
            stdout=subprocess.PIPE,
            text=True,
        )
        # It prints one line when it is ready: "... http://127.0.0.1:49152"
        url = next(word for word in cls.process.stdout.readline().split() if word.startswith("http"))
        package = "file://" + os.path.abspath("node_modules/mrc-explorer")
        cls.admin = Client(url, {"admin-token": token}, f"{url}/admin/openapi.json")
        cls.explorer = Client(url, {"api-key": "any"}, f"{package}/openapi.json")

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        cls.process.wait()
        cls.process.stdout.close()

    def setUp(self):
        self.admin("admin.reset")

    def balance(self, account):
        return int(self.explorer("accounts.balance", addresses=[account])["results"]["data"][0]["balance"])

    def test_shows_a_payment_once_it_is_mined(self):
        payment = {"send": "coins", "from": "alice", "to": BOB, "value": "7"}
        self.admin(
            "admin.recipe",
            accounts=[{"name": "alice", "balance": str(10**18)}],
            blocks=[{"transactions": [payment]}],
        )
        self.assertEqual(self.balance(BOB), 7)

    def test_shows_the_chain_of_a_recipe(self):
        alice = {"name": "alice", "balance": str(10 * 10**18)}
        payment = {"send": "coins", "from": "alice", "to": "bob", "value": str(10**18)}
        built = self.admin(
            "admin.recipe",
            chain={"freeGas": True},
            accounts=[alice, {"name": "bob"}],
            blocks=[{"transactions": [payment]}],
        )
        accounts = built["accounts"]
        self.assertEqual(self.balance(accounts["bob"]), 10**18)
        data = self.explorer("accounts.transactions", address_hash=accounts["bob"])["results"]["data"]
        self.assertEqual([one["transaction_hash"] for one in data], built["transaction_hashes"])
        self.assertEqual(data[0]["sender"], accounts["alice"])

    def test_starts_each_test_with_the_initial_chain(self):
        self.assertEqual(self.balance(BOB), 0)

    def test_fails_if_the_explorer_is_busy(self):
        self.admin("admin.addFaults", preset="503 twice", operation="accounts.balance")
        for _ in range(2):
            with self.assertRaises(HTTPError) as busy:
                self.balance(BOB)
            self.assertEqual(busy.exception.code, 503)
            busy.exception.close()
        self.assertEqual(self.balance(BOB), 0)

    def test_asks_for_the_newest_transactions(self):
        self.explorer("accounts.transactions", address_hash=BOB, limit=5)
        self.admin("admin.expect", operation="accounts.transactions", parameters={"limit": 5}, times=1)
        with self.assertRaises(HTTPError) as missing:
            self.admin("admin.expect", operation="accounts.transactions", parameters={"limit": 6})
        message = json.load(missing.exception)["message"]
        self.assertIn("differs in limit: expected 6, received 5", message)


if __name__ == "__main__":
    unittest.main()
