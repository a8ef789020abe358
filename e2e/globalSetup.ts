import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { DEMO_FOLDER } from './support/demoData.ts'

/** Makes room for what the workers of a run share, and takes it away after it. */
export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zl-e2e-shared-'))
  // A database cluster in it may be another user's, who has to pass.
  await chmod(folder, 0o755)
  process.env[DEMO_FOLDER] = folder
  return () => rm(folder, { recursive: true, force: true })
}
