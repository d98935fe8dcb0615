"""A shop in Python. Start `npx crypto-checkout serve --sandbox`, and then `python3 shop.py`."""
import base64
import contextlib
import hashlib
import hmac
import html
import json
import os
import re
import secrets
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

CHECKOUT = os.environ.get("CHECKOUT_URL", "http://127.0.0.1:4020")
SECRET = os.environ.get("CHECKOUT_SECRET", "sandbox-secret-of-the-merchant-api")
WEBHOOK_SECRET = os.environ.get("CHECKOUT_WEBHOOK_SECRET", "whsec_c2FuZGJveC1zZWNyZXQtb2YtdGhlLXdlYmhvb2tz")
SHOP = os.environ.get("SHOP_URL", "http://127.0.0.1:8000")
EVENTS = Path(os.environ.get("SHOP_DATA", Path(__file__).parent / "data"))


def place_order(order_id: str) -> dict:
    """Places an order, or returns the one with this id."""
    order = {
        "orderId": order_id, "amount": "49.90", "currency": "USD", "country": "GB", "description": "Mug",
        "customer": {"name": "Ada", "phone": "", "email": "ada@shop.example"},
        # Where the customer goes after the payment.
        "redirectUrl": f"{SHOP}/",
    }
    headers = {"authorization": f"Bearer {SECRET}", "content-type": "application/json"}
    request = urllib.request.Request(f"{CHECKOUT}/orders", json.dumps(order).encode(), headers)
    with urllib.request.urlopen(request, timeout=20) as response:
        return json.load(response)


def is_genuine(body: bytes, event_id: str, sent_at: str, signatures: str) -> bool:
    """Standard Webhooks: whether the request is of `serve`, unchanged, and not older than five minutes."""
    if not re.fullmatch(r"\w[\w-]*", event_id, re.ASCII) or not re.fullmatch(r"[0-9]{1,12}", sent_at):
        return False
    if abs(time.time() - int(sent_at)) > 300:
        return False
    key = base64.b64decode(WEBHOOK_SECRET.removeprefix("whsec_"))
    digest = hmac.new(key, f"{event_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(expected, each.encode()) for each in signatures.split(" "))


def keep(event_id: str, body: bytes) -> None:
    """Keeps each event once, in a file of its own. A repeated event changes nothing."""
    EVENTS.mkdir(parents=True, exist_ok=True)
    temporary = EVENTS / f".new-{secrets.token_hex(8)}"
    temporary.write_bytes(body)
    try:
        os.link(temporary, EVENTS / f"{event_id}.json")
    except FileExistsError:
        pass
    finally:
        temporary.unlink()


def paid_orders() -> list:
    """The ids of the paid orders. A real shop ships them."""
    events = [json.loads(file.read_bytes()) for file in EVENTS.glob("*.json")]
    return [event["data"]["orderId"] for event in events if event["type"] == "order.paid"]


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mug shop</title>
<h1>Mug shop</h1>
<form method="post" action="/buy"><button>Buy a mug</button></form>
<p>Paid: {paid}</p>
"""


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            return self.reply(404)
        paid = html.escape(", ".join(paid_orders()) or "none")
        self.reply(200, PAGE.replace("{paid}", paid).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/buy":
            return self.reply(303, location=place_order(secrets.token_hex(8))["payUrl"])
        if self.path != "/events":
            return self.reply(404)
        event_id, sent_at, signatures = (self.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
        if not is_genuine(body, event_id, sent_at, signatures):
            return self.reply(401)
        keep(event_id, body)
        self.reply(204)

    def reply(self, status: int, body: bytes = b"", location: str = ""):
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.send_header("content-type", "text/html; charset=utf-8")
        if location:
            self.send_header("location", location)
        self.end_headers()
        self.wfile.write(body)


# Ctrl-C stops it.
with contextlib.suppress(KeyboardInterrupt):
    ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Shop).serve_forever()
