# An explorer of its own making, by the specification and the decisions alone: none of our code answers here.
# python3 foreign_explorer.py: prints its port, and serves until it is killed.
import json, re, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

BLOCKS, ZERO = 60, "0x" + "0" * 40
MINER, TOKEN, ART = ("0x" + part * 20 for part in ("a1", "b2", "c3"))
ACCOUNTS = ["0x" + f"{index:02x}" * 20 for index in range(1, 6)]
TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"


def digest(*parts):
    value = 7
    for char in repr(parts):
        value = (value * 1000003 ^ ord(char)) % (1 << 256)
    return f"0x{value:064x}"


def topic(value):
    return "0x" + value[2:].rjust(64, "0")


def time_of(block):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000 + 12 * block))


transactions, frames, transfers, items, logs, rewards = [], [], [], [], [], []


def build():
    for block in range(BLOCKS):
        for index in range(3):
            sender, other = ACCOUNTS[(block + index) % 5], ACCOUNTS[(block * 2 + index + 1) % 5]
            receiver = [other, TOKEN, ART][index]
            own = {"timestamp": time_of(block), "block_number": str(block), "transaction_index": str(index),
                   "transaction_hash": digest("tx", block, index)}
            transactions.append({**own, "sender": sender, "receiver": receiver, "value": str(block + 1),
                "block_hash": digest("block", block), "tx_status": "1", "gas_price": "1000000000",
                "cumulative_gas_used": str(21000 * (index + 1)), "gas_used": "21000",
                "max_fee_per_gas": None, "max_priority_fee_per_gas": None})
            if index == 0:
                continue
            for depth in range(2):
                frames.append({**own, "sender": receiver, "receiver": other, "value": "0", "status": "1", "message": None,
                    "contract_address": None, "trace_address": ["0"] * (depth + 1), "trace_type": "call",
                    "sub_traces": str(1 - depth), "gas_used": "700", "gas_limit": "9000", "external_receiver": True})
            minted = block % 2 == 0
            moved = {**own, "sender": ZERO if minted else sender, "receiver": other, "block_hash": digest("block", block)}
            token = TOKEN if index == 1 else ART
            if index == 1:
                transfers.append({**moved, "value": "10", "token_address": TOKEN, "token_name": "Foreign",
                                  "token_symbol": "FRN", "token_decimals": "6"})
            elif minted:
                items.append({**moved, "token_address": ART, "token_name": "Art", "token_symbol": "", "token_decimals": None,
                              "id": block})
            topics = [TRANSFER, topic(moved["sender"]), topic(other)]
            log = {**{key: own[key] for key in ("timestamp", "transaction_hash", "transaction_index")}, "address": token,
                   "data": "0x" + f"{10:064x}", "method": TRANSFER[:10], "log_name": None, "log_abi": None,
                   "address_type": None, "address_extra": None, "log_index": str(index - 1), "topics_count": "3",
                   "block": block}
            logs.append({**log, **{f"topic_{at}": topics[at] if at < 3 else None for at in range(4)}})
        rewards.append({"timestamp": time_of(block), "miner": MINER, "reward": "63000", "fees": "63000",
            "block_number": str(block), "mining_reward": "0", "gas_used": "63000", "gas_limit": "30000000",
            "transaction_count": "3"})


class Refusal(Exception):
    def __init__(self, status, message, results=None, headers=()):
        self.status, self.message, self.results, self.headers = status, message, results, headers


def address(text, name="address"):
    if not re.fullmatch(r"0x[0-9a-fA-F]{40}", text or ""):
        raise Refusal(400, f"{name}: expected an address")
    return text.lower()


def whole(query, name, least, most, default):
    text = query.get(name)
    if text is None:
        return default
    if not re.fullmatch(r"\d{1,18}", text) or not least <= int(text) <= most:
        raise Refusal(400, f"{name}: expected an integer from {least} to {most}")
    return int(text)


def word(query, name, words, default):
    if query.get(name, default) not in words:
        raise Refusal(400, f"{name}: expected one of {', '.join(words)}")
    return query.get(name, default)


def page(records, query, newest_first=True):
    limit, offset = whole(query, "limit", 1, 1000, 50), whole(query, "offset", 0, 1 << 53, 0)
    ordered = records[::-1] if newest_first else records
    return {"count": str(len(records)), "data": ordered[offset:offset + limit]}


def ranged(records, query, block_of=lambda one: int(one["block_number"])):
    first, last = whole(query, "startBlock", 0, 1 << 62, 0), whole(query, "endBlock", 0, 1 << 62, 1 << 62)
    if first > last:
        raise Refusal(400, "startBlock: expected at most endBlock")
    return [one for one in records if first <= block_of(one) <= last]


def confirmed(records):
    return [{**one, "confirmations": str(BLOCKS - 1 - int(one["block_number"]))} for one in records]


def with_input(records, query):
    wanted = word(query, "input", ("true", "false"), "false") == "true"
    return [{**one, "input": "0x"} for one in records] if wanted else records


def of(records, own):
    return [one for one in records if own in (one["sender"], one["receiver"])]


def account_transactions(own, query):
    role = word(query, "condition", ("all", "to", "from", "contract"), "all")
    simple = word(query, "simple", ("true", "false"), "false") == "true"
    found = {"all": of(transactions, own), "from": [one for one in transactions if one["sender"] == own],
             "to": [one for one in transactions if one["receiver"] == own], "contract": []}[role]
    results = page(confirmed(with_input(ranged(found, query), query)), query)
    if not simple:
        return results
    names = ("sender", "receiver", "value", "transaction_hash", "tx_status", "block_number", "gas_price", "gas_used")
    results["data"] = [{**{name: one[name] for name in names}, "tx_fee": "21000000000000"} for one in results["data"]]
    return {**results, "to_block": str(min(BLOCKS - 1, whole(query, "endBlock", 0, 1 << 62, BLOCKS)))}


def event_logs(query):
    own = address(query.get("address"))
    operand = word(query, "operand", ("and", "or"), "and")
    single = word(query, "type", ("single", "conbine", "combine"), "conbine") == "single"
    given = [(f"topic_{at}", query[f"topic_{at}"]) for at in range(4) if f"topic_{at}" in query]
    for name, value in given:
        if not re.fullmatch(r"0x[0-9a-fA-F]{64}", value):
            raise Refusal(400, f"{name}: expected a hash")
    given = given[:1] if single else given
    judge = any if operand == "or" and given else all
    found = [one for one in logs if one["address"] == own and judge(one[name] == value for name, value in given)]
    results = page(ranged(found, query, lambda one: one["block"]), query)
    results["data"] = [{key: one[key] for key in one if key != "block"} for one in results["data"]]
    return results


def inventory(own, query):
    wanted = address(query.get("token_address", ART))
    found = [{"contract_address": ART, "token_id": str(one["id"]), "token_uri": "", "token_name": "Art", "token_symbol": None}
             for one in items if own == ART and wanted == ART]
    return page(found, query, newest_first=False)


def holdings(own, query):
    coins, art = balance(own), sum(one["receiver"] == own for one in items)
    holder = {"holder_address": own}
    mrc20 = [{"balance": str(coins), "token_address": TOKEN, "token_symbol": "FRN", "token_name": "Foreign", **holder,
              "holder_type": "0", "token_decimals": "6"}] if coins else []
    mrc721 = [{"balance": str(art), "token_address": ART, **holder}] if art else []
    lists = [page(one, query, newest_first=False) for one in (mrc20, mrc721)]
    return [{"count": one["count"], "results": one["data"]} for one in lists]


def balance(own):
    return sum(10 * ((one["receiver"] == own) - (one["sender"] == own)) for one in transfers)


def tokens_of(own, query, token, name, symbol):
    held = balance(own) if token == TOKEN else sum(one["receiver"] == own for one in items)
    entry = {"token_address": token, "token_name": name, "token_symbol": symbol}
    return page([entry] if held else [], query, newest_first=False)


def token_known(own):
    if own not in (TOKEN, ART):
        raise Refusal(404, "contract_hash: not a token")


def token_query(own, what, holder, query):
    token_known(own)
    if what == "total-supply":
        return {"data": {"total_supply": str(10 * sum(one["sender"] == ZERO for one in transfers))}}
    if what == "holder-count":
        return {"data": {"holder_count": "5"}}
    if what == "balance":
        return {"data": {"balance": str(balance(address(holder)))}}
    holder = address(query.get("address_hash"), "address_hash")
    found = [{"holder_address": holder, "token_id": str(one["id"]), "token_uri": ""}
             for one in items if one["receiver"] == holder and own == ART]
    return {"count": str(len(found)), "data": found, "token_name": "Art", "token_symbol": None}


def account(own, what, query):
    if what == "transactions":
        return account_transactions(own, query)
    if what == "internal-transactions":
        return page(with_input(ranged(of(frames, own), query), query), query)
    if what == "token-transfer/mrc20":
        return page(confirmed(ranged(of(transfers, own), query)), query)
    if what == "token-transfer/mrc721":
        found = page(confirmed(ranged(of(items, own), query)), query)
        return {**found, "data": [{key: one[key] for key in one if key != "id"} for one in found["data"]]}
    if what == "tokens/mrc20":
        return tokens_of(own, query, TOKEN, "Foreign", "FRN")
    if what == "tokens/mrc721":
        return tokens_of(own, query, ART, "Art", "")
    if what == "tokens/inventory":
        return inventory(own, query)
    if what == "mined-blocks":
        return page(rewards if own == MINER else [], query)
    return None


def transaction(text, what, query):
    if not re.fullmatch(r"0x[0-9a-fA-F]{64}", text):
        raise Refusal(400, "transaction_hash: expected a hash")
    known = [one for one in transactions if one["transaction_hash"] == text.lower()]
    if not known:
        raise Refusal(404, "transaction_hash: not a transaction")
    if what == "internal-transactions":
        found = [one for one in frames if one["transaction_hash"] == text.lower()]
        return page(with_input(found, query), query, newest_first=False)
    return {"data": {"status": "1"}}


def contract(own, what):
    if own != TOKEN and what == "code":
        names = ("logo", "compiler", "libraries", "verify_date", "contract_name", "runs_optimizer", "optimization_enabled",
            "contract_abi", "contract_source", "constructor_arguments", "swam_source", "verify_status", "verify_message")
        return {"data": {"address": own, "contract_code": "0x", **dict.fromkeys(names)}}
    if own != TOKEN:
        raise Refusal(200, "contract is not yet verified", {})
    entry = {"name": "decimals", "type": "function", "inputs": [], "outputs": [{"name": "", "type": "uint8"}],
             "payable": False, "constant": True, "stateMutability": "view"}
    if what == "abi":
        return {"data": [entry]}
    return {"data": {"address": TOKEN, "logo": None, "compiler": "v0.8.20", "libraries": "[]", "verify_date": time_of(9),
        "contract_name": "Foreign", "runs_optimizer": "200", "optimization_enabled": "1", "contract_code": "0x00",
        "contract_abi": [entry], "contract_source": "contract Foreign {}", "constructor_arguments": "",
        "swam_source": "", "verify_status": "1", "verify_message": None}}


def balances(body, content_type):
    if content_type != "application/json":
        raise Refusal(415, "content-type: expected application/json")
    try:
        given = json.loads(body)["addresses"]
    except (ValueError, TypeError, KeyError):
        raise Refusal(400, "body: expected JSON with addresses")
    if not 1 <= len(given) <= 20:
        raise Refusal(400, "addresses: expected 1 to 20")
    return {"data": [{"address": address(one), "balance": "5" if one.lower() in ACCOUNTS else "0"} for one in given]}


ROUTES = [
    ("GET", r"/v1/tokens/([^/]+)/(total-supply|holder-count|inventory)",
     lambda m, query: token_query(address(m[1]), m[2], None, query)),
    ("GET", r"/v1/tokens/([^/]+)/(balance)/([^/]+)", lambda m, query: token_query(address(m[1]), m[2], m[3], query)),
    ("GET", r"/v1/accounts/([^/]+)/((?:internal-)?transactions|token-transfer/mrc(?:20|721)|mined-blocks|"
     r"tokens(?:/mrc20|/mrc721|/inventory)?)", lambda m, query: account(address(m[1]), m[2], query)),
    ("GET", r"/v1/transactions/([^/]+)/(transaction-status|receipt-status|internal-transactions)",
     lambda m, query: transaction(m[1], m[2], query)),
    ("GET", r"/v1/contracts/([^/]+)/(abi|code)", lambda m, _: contract(address(m[1]), m[2])),
    ("GET", r"/v1/blocks/([^/]+)", lambda m, _: block(m[1])),
    ("GET", r"/v1/event-logs", lambda m, query: event_logs(query)),
    ("POST", r"/v1/accounts/balance", None),
]


def block(text):
    number = whole({"block_number": text}, "block_number", 0, 1 << 62, 0)
    if number >= BLOCKS:
        raise Refusal(404, "block_number: no such block")
    return {"data": {key: rewards[number][key] for key in
                     ("timestamp", "miner", "reward", "fees", "block_number", "mining_reward")}}


class Explorer(BaseHTTPRequestHandler):
    protocol_version, wbufsize = "HTTP/1.1", 1 << 16

    def answer(self):
        url, body = urlsplit(self.path), self.rfile.read(int(self.headers.get("content-length") or 0))
        path = unquote(url.path)
        matching = [(method, match, handle) for method, pattern, handle in ROUTES
                    for match in [re.fullmatch(pattern, path)] if match]
        if not matching:
            raise Refusal(404, "no such path")
        route = next((one for one in matching if one[0] == self.command), None)
        if route is None:
            raise Refusal(405, "no such method", headers=[("allow", matching[0][0])])
        if not self.headers.get("api-key"):
            raise Refusal(401, "api-key: missing")
        pairs = parse_qsl(url.query, keep_blank_values=True)
        query = dict(pairs)
        if len(query) < len(pairs):
            raise Refusal(400, "a parameter was given twice")
        if route[2] is None:
            return balances(body, self.headers.get("content-type"))
        if path.endswith("/tokens"):
            mrc20, mrc721 = holdings(address(route[1][1]), query)
            return None, {"mrc_20": mrc20, "mrc_721": mrc721}
        return route[2](route[1], query)

    def respond(self):
        status, headers = 200, []
        try:
            results = self.answer()
            bare = isinstance(results, tuple)
            value = results[1] if bare else {"status": "200", "message": "success", "results": results}
        except Refusal as refusal:
            status, headers = refusal.status, refusal.headers
            value = {"status": str(status), "message": refusal.message, "results": refusal.results}
        body = json.dumps(value).encode()
        self.send_response(status)
        for name, text in [("content-type", "application/json"), ("content-length", str(len(body))), *headers]:
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = do_PUT = respond

    def log_message(self, *_):
        pass


build()
server = ThreadingHTTPServer(("127.0.0.1", 0), Explorer)
print(server.server_address[1], flush=True)
server.serve_forever()
