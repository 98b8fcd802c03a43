/** The simulation beside the payer's part: a tester decides the outcome of the payment. */

export function enableSimulation({ url, texts, show }) {
  const panel = document.getElementById("panel");
  if (panel === null) return null;
  const happened = document.getElementById("happened");
  const folded = document.getElementById("folded");
  const possible = document.getElementById("possible");
  const buttonOf = (action) => panel.querySelector(`[data-simulate="${action}"]`);
  panel.hidden = false;

  async function run(action) {
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", "x-qa-checkout": "1" },
        body: JSON.stringify({ action }),
      });
      const body = await answer.json();
      happened.textContent = answer.ok ? body.text : texts.failed + body.error.message;
      if (answer.ok) show(body.state);
    } catch {
      happened.textContent = texts.unreachable;
    }
  }

  for (const button of panel.querySelectorAll("[data-simulate]")) {
    button.addEventListener("click", () => void run(button.dataset.simulate));
  }

  /** Moves a button between the possible ones and the others, and leaves it where it is when it belongs there. */
  function place(button, isPossible, later) {
    const list = isPossible ? possible : folded;
    const item = button.parentElement;
    if (item.parentElement === list) return;
    // The text that says what happened takes the focus of a button that goes away.
    if (button === document.activeElement) happened.focus();
    const next = later.map(({ action }) => buttonOf(action).parentElement).find((each) => each.parentElement === list);
    list.insertBefore(item, next ?? null);
  }

  return {
    set({ simulation, frozen }) {
      document.getElementById("clock").textContent = frozen ? texts.clock.frozen : texts.clock.running;
      for (const [at, { action, impossible, hint }] of simulation.entries()) {
        const button = buttonOf(action);
        place(button, impossible === null, simulation.slice(at + 1));
        button.disabled = impossible !== null;
        document.getElementById(`hint-${action}`).textContent = impossible ?? hint ?? button.dataset.hint;
      }
      const fold = folded.parentElement;
      fold.hidden = folded.childElementCount === 0;
      fold.firstElementChild.textContent = texts.folded.replace("{count}", String(folded.childElementCount));
    },
  };
}
