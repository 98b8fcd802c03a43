/** The remaining time, by the emulated clock of the server. */

const WARN_AT = 60;
/** Above this, the date is more useful than a countdown. */
const COUNT_FROM = 3_600;

const twoDigits = (number) => String(number).padStart(2, "0");

function timeText(seconds) {
  const whole = Math.ceil(seconds);
  return `${twoDigits(Math.floor(whole / 60))}:${twoDigits(whole % 60)}`;
}

/** `isOver` is called when a time is over before the server has reported it. */
export function createCountdown({ texts, announce, isOver }) {
  /** The server's last report, and its time. */
  let known = null;
  let heardAt = 0;
  let timer = null;
  let hasWarned = false;

  function draw(box, left) {
    const text = box.querySelector("[data-until]");
    text.textContent = left > COUNT_FROM ? text.dataset.until : texts.countdown.replace("{time}", timeText(left));
    box.querySelector("progress").value = left;
    box.classList.toggle("urgent", left <= WARN_AT);
    if (left > 0 && left <= WARN_AT && !hasWarned) {
      hasWarned = true;
      announce(texts.minute);
    }
  }

  function tick() {
    clearTimeout(timer);
    if (known === null) return;
    const passed = known.frozen ? 0 : ((performance.now() - heardAt) / 1_000) * known.speed;
    const times = Object.entries(known.method_remaining).map(([method, all]) => [method, Math.max(0, all - passed)]);
    for (const [method, left] of times) {
      const box = document.querySelector(`[data-time="${method}"]`);
      if (box !== null) draw(box, left);
    }
    if (known.frozen || document.hidden || times.length === 0) return;
    if (times.some(([, left]) => left === 0)) {
      known = null;
      isOver();
      return;
    }
    // At the next full second of the shortest time.
    const shortest = Math.min(...times.map(([, left]) => left));
    timer = setTimeout(tick, Math.min(1_000, (shortest % 1 || 1) * 1_000) / known.speed + 5);
  }

  return {
    set(state) {
      known = state;
      heardAt = performance.now();
      tick();
    },
    pause: () => clearTimeout(timer),
    resume: tick,
  };
}
