import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { writeDefinition } from '#core/exchange/writeDefinition.ts'
import type { ExportFormat } from '#core/exchange/exportFormats.ts'

import { decode } from './odm/files.ts'
import { samplePath, samplesIn } from './samples.ts'

/**
 * A study that came in one format goes out in another and comes back the same: nothing depends on the way that it came.
 */

const WHOLE: readonly ExportFormat[] = ['json', 'workbook', 'odm-1.3.2', 'odm-2.0']
const CONTEXT = { studyName: 'study', writtenAt: '2026-03-01T08:00:00Z' }

function studyOf(name: string, bytes: Uint8Array) {
  const { result } = readDefinition({ name, bytes }, decode)
  return result.ok ? { pages: result.definition.pages, folders: result.definition.folders } : null
}

describe('a study of another system', () => {
  const files = ['redcap', 'odm', 'xlsform'].flatMap((folder) => samplesIn(folder).map((name) => join(folder, name)))
  const studies = files.flatMap((file) => {
    const study = studyOf(file, readFileSync(samplePath(file)))
    return study === null || study.pages.length === 0 ? [] : [{ file, study }]
  })
  for (const { file, study } of studies) {
    test.each(WHOLE)(`${file}, by way of %s`, (format) => {
      const { content } = writeDefinition(study, format, CONTEXT)
      // Without what is undefined, which no file can say.
      expect(studyOf('back', typeof content === 'string' ? new TextEncoder().encode(content) : content)).toEqual(
        JSON.parse(JSON.stringify(study)),
      )
    })
  }
})
