# body.json: the body as it came, without a line end behind it
openssl dgst -sha256 -hmac "$QA_PAY_WEBHOOK_SECRET" -r < body.json | cut -d' ' -f1
