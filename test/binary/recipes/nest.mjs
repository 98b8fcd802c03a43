// The controller of a recipe in a small application of NestJS, compiled as its compiler does: node nest.mjs payments.controller.ts
import "reflect-metadata";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import ts from "typescript";

const options = { target: "ES2022", module: "ES2022", experimentalDecorators: true, emitDecoratorMetadata: true };
const { outputText } = ts.transpileModule(readFileSync(process.argv[2], "utf8"), { compilerOptions: options });
const compiled = join(import.meta.dirname, "payments.controller.mjs");
writeFileSync(compiled, outputText);
const { PaymentsController } = await import(compiled);

class AppModule {}
Module({ controllers: [PaymentsController] })(AppModule);
const app = await NestFactory.create(AppModule, { rawBody: true, logger: false });
await app.listen(Number(process.env.PORT), "127.0.0.1");
