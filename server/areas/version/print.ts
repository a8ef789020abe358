import { Readable } from 'node:stream'
import { fail } from '#core/api/errors.ts'
import { versionFileName } from '#core/exchange/versionFileName.ts'
import { withConnection } from '#server/database/transaction.ts'
import type { BlobAnswer, CallContext } from '#server/http/handler.ts'
import { printBeside } from '#server/print/printBeside.ts'
import { PrintFailure } from '#server/print/printFailure.ts'

import { readVersion } from './service.ts'

/**
 * A version for paper. It holds nothing of a subject, so whoever may see the version may have it.
 *
 * @throws ApiFailure not_found; not_available, too_much_work, busy
 */
export async function printVersion(context: CallContext<'version.print'>): Promise<BlobAnswer> {
  const { services, actor, params, query } = context
  const { style, language } = query
  const { versionNo, versionNoDesc, crfProfile, folders } = await readVersion(context)
  const studyName = await nameOfStudy(services, params.id)
  const madeAt = services.now()
  try {
    const pdf = await printBeside({
      kind: 'form',
      version: { versionNo, crfProfile, folders },
      form: { style, language, studyName, madeAt, madeBy: actor.realName },
      madeAt,
    })
    return {
      body: Readable.from([pdf], { objectMode: false }),
      type: 'application/pdf',
      name: versionFileName(studyName, versionNoDesc, style),
      length: pdf.length,
    }
  } catch (error) {
    if (!(error instanceof PrintFailure)) throw error
    services.log.warn(
      { problem: error.problem, detail: error.message, call: 'version.print' },
      'no document was printed',
    )
    throw fail(ERRORS[error.problem])
  }
}

const ERRORS = { unavailable: 'not_available', too_large: 'too_much_work', failed: 'internal', busy: 'busy' } as const

async function nameOfStudy(
  { pool }: Pick<CallContext<'version.print'>['services'], 'pool'>,
  versionId: string,
): Promise<string> {
  return withConnection(pool, async (connection) => {
    const { rows } = await connection.query<{ name: string }>({
      name: 'version_print_study',
      text: 'SELECT p.name FROM crf_version v JOIN project p ON p.id = v.project_id WHERE v.id = $1',
      values: [versionId],
    })
    return rows[0]?.name ?? ''
  })
}
