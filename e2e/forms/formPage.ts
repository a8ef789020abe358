import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'
import type { InlineConfig } from 'vite'
import type { Missing } from '#core/form/definition/value.ts'
import type { JsonValue } from '#core/json.ts'
import type { FormEdit } from '#src/form/formActions.ts'

/** What the page with every field offers to a test. */
export interface FormPage {
  readonly values: () => Readonly<Record<string, JsonValue>>
  readonly missing: () => Readonly<Record<string, Missing>>
  /** Edits told since the last call: each is one step of the journal. */
  readonly takeEdits: () => readonly FormEdit[]
  /** Asks for all errors, as a submit does. */
  readonly validate: () => void
}

declare global {
  interface Window {
    readonly formPage: FormPage
  }
}

export interface ServedPage {
  readonly address: string
  readonly close: () => Promise<void>
}

/** Builds the page and serves it. */
export async function serveFormPage(): Promise<ServedPage> {
  const outDir = await mkdtemp(path.join(tmpdir(), 'zl-form-'))
  const root = path.join(import.meta.dirname, 'page')
  const common: InlineConfig = { root, configFile: false, logLevel: 'error', plugins: [react()] }
  await build({ ...common, build: { outDir, emptyOutDir: true, target: 'es2022' } })
  const server = await preview({ ...common, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  const address = server.resolvedUrls?.local[0]
  if (address === undefined) throw new Error('the page is not served')
  return {
    address,
    close: async () => {
      await server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
