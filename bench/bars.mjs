/** Draws rates as an SVG: one group of bars for each kind of request, with the least and the most of the rounds as a line. */

const WIDTH = 720;
const LEFT = 230;
const RIGHT = 90;
const BAR = 16;
const ROW = 22;
const TITLE = 30;

/** @param {readonly { title: string, rows: readonly { name: string, isOwn: boolean, range: readonly [number, number, number] }[] }[]} groups */
export function bars(groups) {
  let y = 0;
  const parts = groups.map(({ title, rows }) => {
    const longest = Math.max(...rows.map(({ range }) => range[2]));
    const x = (value) => (LEFT + (value / longest) * (WIDTH - LEFT - RIGHT)).toFixed(1);
    const head = `<text x="8" y="${y + 20}" class="title">${title}</text>`;
    y += TITLE;
    const drawn = rows.map(({ name, isOwn, range: [middle, least, most] }) => {
      const top = y;
      y += ROW;
      const line = `<path d="M${x(least)} ${top + BAR / 2}H${x(most)}"/>`;
      const bar = `<rect x="${LEFT}" y="${top}" width="${Number(x(middle)) - LEFT}" height="${BAR}" class="${isOwn ? "own" : "other"}"/>`;
      const value = `<text x="${WIDTH - 8}" y="${top + 12}" class="end">${Math.round(middle)}/s</text>`;
      return `<text x="${LEFT - 8}" y="${top + 12}" class="end">${name}</text>${bar}${line}${value}`;
    });
    return [head, ...drawn].join("\n");
  });
  const height = y + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${groups.map(({ title }) => title).join("; ")}">
<style>text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600}.end{text-anchor:end}.own{fill:#0b6b5b}.other{fill:#9bb5ae}path{stroke:#333}</style>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${parts.join("\n")}
</svg>
`;
}
