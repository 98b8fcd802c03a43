/** Draws the samples of a soak as an SVG: one panel for each figure, all over the same minutes. */

const WIDTH = 720;
const PANEL = 120;
const LEFT = 64;
const RIGHT = 16;
const TOP = 30;
const GAP = 34;

/** A round number that is at least `value`, so that the axis ends at a figure a person can read. */
function ceiling(value) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * unit).find((step) => step >= value) ?? value;
}

const shown = (value) => String(Number(value.toPrecision(3)));

const MOST_POINTS = 120;

/** Fewer samples, each with the greatest figures of those that it stands for. */
function thinned(samples, figures) {
  const size = Math.ceil(samples.length / MOST_POINTS);
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const group = samples.slice(index * size, (index + 1) * size);
    const most = (figure) => Math.max(...group.map((one) => one[figure]));
    return Object.fromEntries(["minutes", ...figures].map((figure) => [figure, most(figure)]));
  });
}

/**
 * @param {{ minutes: number, [figure: string]: number }[]} all
 * @param {readonly (readonly [figure: string, title: string])[]} panels
 */
export function plot(all, panels) {
  const samples = thinned(
    all,
    panels.map(([figure]) => figure),
  );
  const longest = Math.max(...samples.map(({ minutes }) => minutes));
  const height = TOP + panels.length * (PANEL + GAP);
  const x = (minutes) => LEFT + (minutes / longest) * (WIDTH - LEFT - RIGHT);
  const parts = panels.map(([figure, title], index) => {
    const top = TOP + index * (PANEL + GAP);
    const most = ceiling(Math.max(...samples.map((sample) => sample[figure])));
    const y = (value) => top + PANEL - (value / most) * PANEL;
    const line = samples.map((sample) => `${x(sample.minutes).toFixed(1)},${y(sample[figure]).toFixed(1)}`).join(" ");
    return `<text x="${LEFT}" y="${top - 8}" class="title">${title}</text>
<path d="M${LEFT} ${top}V${top + PANEL}H${WIDTH - RIGHT}" class="axis"/>
<text x="${LEFT - 8}" y="${top + 10}" class="end">${shown(most)}</text>
<text x="${LEFT - 8}" y="${top + PANEL}" class="end">0</text>
<text x="${WIDTH - RIGHT}" y="${top + PANEL + 14}" class="end">${shown(longest)} minutes</text>
<polyline points="${line}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${panels.map(([, title]) => title).join("; ")}">
<style>text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600}.end{text-anchor:end}.axis{fill:none;stroke:#999}polyline{fill:none;stroke:#0b6b5b;stroke-width:1.5}</style>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${parts.join("\n")}
</svg>
`;
}
