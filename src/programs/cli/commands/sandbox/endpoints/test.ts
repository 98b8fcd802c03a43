import { type OwnPart, showVerdict } from "../../../operation/show.js";

export const own: OwnPart = { show: showVerdict("passed") };
