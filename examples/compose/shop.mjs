import { createServer } from "node:http";
import { createShop } from "../shop/create-shop.mjs";

const { QA_PAY_BASE_URL: baseUrl, QA_PAY_API_KEY: apiKey, QA_PAY_WEBHOOK_SECRET: webhookSecret, PORT } = process.env;

// On every address, because the port of a container is reached from outside of it.
createServer(createShop({ baseUrl, apiKey, webhookSecret })).listen(Number(PORT ?? 3000), "0.0.0.0");
