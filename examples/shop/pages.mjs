/** The pages of the shop: plain HTML, without a script. */

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem; }
  h1 { font-size: 1.5rem; line-height: 1.25; }
  img { display: block; width: 12rem; max-width: 100%; padding: 0.5rem; background: #fff; }
  code { overflow-wrap: anywhere; font-size: 0.85rem; }
  .main { display: block; width: 100%; box-sizing: border-box; min-height: 2.75rem; padding: 0.6rem 1rem; border: 0;
    border-radius: 0.5rem; background: #14684c; color: #fff; font: inherit; font-weight: 600; text-align: center;
    text-decoration: none; cursor: pointer; }
`;

const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const reais = (centavos) => `R$ ${(centavos / 100).toFixed(2).replace(".", ",")}`;

const frame = (title, content, head = "") => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${title}</title><link rel="icon" href="data:,"><style>${STYLE}</style>
<body><main><h1>${title}</h1>
${content}
</main></body></html>
`;

const BACK = `<p><a href="/">Back to the shop</a></p>`;

export const errorPage = (text) => frame("Coffee shop", `<p role="alert">${text}</p>${BACK}`);

export const frontPage = (price) =>
  frame(
    "Coffee shop",
    `<p>One bag of coffee, ${reais(price)}.</p>
<form method="post" action="/orders"><button class="main">Buy</button></form>`,
  );

/** The page of an order. It loads itself again while the order waits for its money. */
export function orderPage({ id, status, amount, charge }) {
  const title = `Order ${escaped(id)}`;
  const price = `<p>One bag of coffee, ${reais(amount)}.</p>`;
  if (status === "paid") return frame(title, `${price}<p role="status"><strong>✓ Paid. Thank you!</strong></p>${BACK}`);
  if (status !== "open") return frame(title, `${price}<p>The order is ${status}.</p>${BACK}`);
  return frame(
    title,
    `${price}
<p><a class="main" href="${escaped(charge.checkout_url)}" target="_blank">Pay with Pix (new tab)</a></p>
<p role="status">Not paid yet: the shop waits for a webhook. This page looks again every two seconds.</p>
<img src="${escaped(charge.pix.qr_code_url)}" alt="QR code of this payment">
<p><code>${escaped(charge.pix.br_code)}</code></p>
<p>Charge <code>${charge.id}</code></p>
${BACK}`,
    `<meta http-equiv="refresh" content="2">`,
  );
}
