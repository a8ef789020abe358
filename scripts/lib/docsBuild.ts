import path from 'node:path'
import { checkBuilt, readBuilt } from '#scripts/docs/builtPages.ts'
import { root, runTool } from '#scripts/lib/run.ts'

/** Where the site of the documents is built. */
const DOCS = path.join(root, 'dist-docs')

/** Builds the documentation site. A dead link makes it fail, and so does a page that sends requests to another host. */
export async function buildDocs(): Promise<boolean> {
  const { ok, output } = await runTool('vitepress', ['build', 'docs'], { capture: true })
  const problems = ok ? checkBuilt(await readBuilt(DOCS)) : []
  if (ok && problems.length === 0) return true
  console.error([output.trim(), ...problems].join('\n'))
  return false
}
