import { createServer } from "node:http";
import { createShop } from "./create-shop.mjs";

const { QA_PAY_BASE_URL: baseUrl, QA_PAY_API_KEY: apiKey, QA_PAY_WEBHOOK_SECRET: webhookSecret, PORT } = process.env;
const server = createServer(createShop({ baseUrl, apiKey, webhookSecret, file: process.argv[2] }));
const port = Number(PORT ?? 3000);
server.listen(port, "127.0.0.1", () => console.log(`The shop is open at http://127.0.0.1:${port}`));
