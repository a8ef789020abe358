import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { operatorCommand, UsageError } from '#scripts/lib/operatorCommand.ts'
import { markRecovered } from '#server/backup/recovered.ts'
import { restore } from '#server/backup/restore.ts'
import { readPassphrase } from '#server/backup/settings.ts'
import { readConfig } from '#server/config.ts'
import { openFileStore } from '#server/storage/open.ts'

/**
 * `npm run restore -- FILE [--into DIR] [--replace]`: restores a backup into an empty data folder or database. `npm run
 * restore -- --recovered`: the operator has restored the database of DATABASE_URL by other means (docs/operations.md).
 */
const USAGE =
  'Usage: npm run restore -- FILE [--into DIR] [--replace]\n   or: npm run restore -- --recovered   (with DATABASE_URL)'

process.exitCode = await operatorCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      into: { type: 'string' },
      replace: { type: 'boolean', default: false },
      recovered: { type: 'boolean', default: false },
    },
  })
  if (values.recovered) return recover(positionals.length > 0 || values.replace || values.into !== undefined)
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError(USAGE)
  const config = readConfig(process.env)
  const databaseUrl = values.into === undefined ? config.databaseUrl : null
  const dataDir = values.into === undefined ? config.dataDir : resolve(values.into)
  const done = await restore({
    file: resolve(file),
    passphrase: readPassphrase(process.env),
    databaseUrl,
    appDatabaseUrl: databaseUrl === null ? null : config.appDatabaseUrl,
    dataDir,
    replace: values.replace,
    files: config.attachments.s3 === null ? null : openFileStore(config),
  })
  return [
    `Restored ${done.rows} rows of ${done.tables} tables into ${databaseUrl === null ? dataDir : 'the database of DATABASE_URL'}, as of ${done.createdAt}.`,
    `${done.chains} audit chains with ${done.auditRows} rows hold. ${done.endedSessions} sessions were ended; the new epoch is ${done.epoch}.`,
    `${done.files.copied} attachments were brought back.${done.files.missing === 0 ? '' : ` ${done.files.missing} are not to be had; a tablet that has one still brings it again.`}`,
    ...(done.migrated.length > 0 ? [`Brought up to date: ${done.migrated.join(', ')}.`] : []),
    ...(done.kept === null ? [] : [`What was there before is kept in ${done.kept}.`]),
  ].join('\n')
})

async function recover(hasMore: boolean): Promise<string> {
  const { databaseUrl, appDatabaseUrl } = readConfig(process.env)
  if (hasMore || databaseUrl === null) throw new UsageError(USAGE)
  const done = await markRecovered({ databaseUrl, appDatabaseUrl })
  return [
    `${done.chains} audit chains with ${done.auditRows} rows hold.`,
    `${done.endedSessions} sessions were ended; the new epoch is ${done.epoch}. The tablets will offer again what they sent since.`,
  ].join('\n')
}
