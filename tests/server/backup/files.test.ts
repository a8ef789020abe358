import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { copyFiles } from '#server/backup/files.ts'
import { restore } from '#server/backup/restore.ts'
import { writeBackup } from '#server/backup/write.ts'
import { ensureSecrets } from '#server/secrets.ts'
import { png } from '#tests/core/files/samples.ts'
import { contentOf, fileOf, nameFiles, releaseWithPhotos, upload } from '#tests/server/areas/attachment/support.ts'
import type { TestFile } from '#tests/server/areas/attachment/support.ts'
import { createEmptyDatabase } from '#tests/server/support/database.ts'
import type { TestDatabase } from '#tests/server/support/database.ts'
import { testFiles } from '#tests/server/support/files.ts'
import type { World } from '#tests/server/support/world.ts'
import { enrol, makeWorld } from '#tests/server/support/world.ts'

/** Contents of attachments go beside a backup, and come back with it. */

let world: World
let folder: string
let target: TestDatabase
let photos: readonly TestFile[]
beforeAll(async () => {
  const made = await makeWorld()
  // A backup brings the server's own secrets back: the photographs are sealed under those.
  world = { ...made, services: { ...made.services, secrets: await ensureSecrets(made.services.pool) } }
  const version = await releaseWithPhotos(world)
  photos = [fileOf(png(10, 10, 500)), fileOf(png(20, 20, 700))]
  const at = await nameFiles(world, world.people.lin, version, await enrol(world), photos)
  for (const photo of photos) await upload(world, world.people.lin, at, photo)
})
afterAll(() => world.close())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zl-backup-files-'))
  target = await createEmptyDatabase()
})
afterEach(async () => {
  await target.drop()
  await rm(folder, { recursive: true, force: true })
})

async function backUp(): Promise<string> {
  const { file } = await writeBackup(world.database.ownerPool, { folder, passphrase: 'secret' })
  return file
}
const copy = () => copyFiles(world.database.ownerPool, world.services.files, folder)
const copies = async () =>
  (await readdir(join(folder, 'attachments'), { recursive: true, withFileTypes: true })).filter((one) => one.isFile())

it('each content is copied once for all backups, and comes back sound into another place', async () => {
  const file = await backUp()
  expect(await copy()).toEqual({ copied: 2, missing: 0 })
  expect(await copy()).toEqual({ copied: 0, missing: 0 })
  const { files } = testFiles()
  const done = await restore({
    file,
    passphrase: 'secret',
    databaseUrl: target.url,
    appDatabaseUrl: target.appUrl,
    dataDir: folder,
    replace: false,
    files,
  })
  expect(done.files).toEqual({ copied: 2, missing: 0 })
  const restored: World = {
    ...world,
    services: { ...world.services, pool: target.pool, files, secrets: await ensureSecrets(target.pool) },
  }
  for (const photo of photos)
    expect(await contentOf(restored, world.people.lin, photo.reference.id)).toEqual(Buffer.from(photo.content))
})

it('a content that is gone or damaged is said, and counts as not come yet, so that a tablet brings it again', async () => {
  const file = await backUp()
  await copy()
  const [first, second] = await copies()
  if (first === undefined || second === undefined) throw new Error('no copies')
  await rm(join(first.parentPath, first.name))
  await writeFile(join(second.parentPath, second.name), 'damaged')
  const { files } = testFiles()
  const done = await restore({
    file,
    passphrase: 'secret',
    databaseUrl: target.url,
    appDatabaseUrl: target.appUrl,
    dataDir: folder,
    replace: false,
    files,
  })
  expect(done.files).toEqual({ copied: 0, missing: 2 })
  const { rows } = await target.pool.query<{ state: string; received: number }>(
    'SELECT state, received::integer FROM attachment',
  )
  expect(rows).toEqual([
    { state: 'arriving', received: 0 },
    { state: 'arriving', received: 0 },
  ])
})
