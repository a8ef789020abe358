import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { operatorCommand } from '#scripts/lib/operatorCommand.ts'
import { BackupError } from '#server/backup/backupError.ts'
import { copyFiles } from '#server/backup/files.ts'
import type { CopiedFiles } from '#server/backup/files.ts'
import { openData } from '#server/backup/open.ts'
import { readPassphrase } from '#server/backup/settings.ts'
import { writeBackup } from '#server/backup/write.ts'
import { readConfig } from '#server/config.ts'
import { openFileStore } from '#server/storage/open.ts'

/**
 * `npm run backup [-- --to DIR] [--encrypt]`: everything in the database, written to one new file (docs/operations.md).
 */
process.exitCode = await operatorCommand(async () => {
  const { values } = parseArgs({ options: { to: { type: 'string' }, encrypt: { type: 'boolean', default: false } } })
  const passphrase = values.encrypt ? readPassphrase(process.env) : null
  if (values.encrypt && passphrase === null) {
    throw new BackupError('passphrase_missing', '--encrypt needs BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE')
  }
  const folder = resolve(values.to ?? process.env['BACKUP_DIR'] ?? './backups')
  const config = readConfig(process.env)
  const data = await openData(config)
  try {
    const written = await writeBackup(data.owner, { folder, passphrase })
    const files = await copyFiles(data.owner, openFileStore(config), folder)
    const secret = passphrase === null ? ' It is not encrypted and holds secrets: keep it where nobody else reads.' : ''
    return `Backed up ${written.rows} rows of ${written.tables} tables (${written.bytes} bytes): ${written.file}.${secret}${describeFiles(files)}`
  } finally {
    await data.close()
  }
})

function describeFiles({ copied, missing }: CopiedFiles): string {
  const lost = missing === 0 ? '' : ` ${missing} that the data name are not there: look for them.`
  return ` ${copied} new attachments were copied beside it.${lost}`
}
