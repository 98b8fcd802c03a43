/** The simulation beside the payer's part: a tester decides the outcome of the payment. */

export function enableSimulation({ url, texts, show }) {
  const panel = document.getElementById("panel");
  if (panel === null) return null;
  const happened = document.getElementById("happened");
  const buttons = [...panel.querySelectorAll("[data-simulate]")];
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

  for (const button of buttons) {
    // A button that is only marked as disabled keeps the focus, and its description says why.
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") void run(button.dataset.simulate);
    });
  }

  return {
    set({ simulation, frozen }) {
      document.getElementById("clock").textContent = frozen ? texts.clock.frozen : texts.clock.running;
      for (const { action, impossible, hint } of simulation) {
        const button = buttons.find(({ dataset }) => dataset.simulate === action);
        button.setAttribute("aria-disabled", String(impossible !== null));
        document.getElementById(`hint-${action}`).textContent = impossible ?? hint ?? button.dataset.hint;
      }
    },
  };
}
