/** The package used as a library: an emulator inside a test process. */
export { createEmulator, type Emulator, type EmulatorOptions } from "./emulator.js";
