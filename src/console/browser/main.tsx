import "./state/arrival.js";
import "./style/main.css";
import { render } from "preact";
import { startLive } from "./api/live.js";
import { App } from "./app.js";
import { startClock } from "./state/clock.js";
import { applyDensity } from "./state/density.js";
import { language } from "./state/language.js";
import { applyTheme } from "./state/theme.js";

applyTheme();
applyDensity();
document.documentElement.lang = language.value;
const place = document.getElementById("app");
if (place !== null) render(<App />, place);
startLive();
startClock();
