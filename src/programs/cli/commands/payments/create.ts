import type { OwnPart } from "../../operation/show.js";
import { showCreated } from "../charges/picture.js";

export const own: OwnPart = { show: showCreated };
