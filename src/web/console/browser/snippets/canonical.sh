# body.json: the body as it came, without a line end behind it
{ printf '%s.' "$T"; cat body.json; } | openssl dgst -sha256 -hmac "$QA_PAY_WEBHOOK_SECRET" -r | cut -d' ' -f1
