import type { VersionRow } from '#core/api/sync/rows.ts'

import type { VersionFormat } from './exportFormats.ts'
import { definitionOf } from './ofVersion.ts'
import { printCrf } from './print/printCrf.ts'
import { en } from './print/words.en.ts'
import { zh } from './print/words.zh.ts'
import type { WritingContext, WrittenDefinition } from './writeDefinition.ts'
import { writeDefinition } from './writeDefinition.ts'

/** What is known of a version that is written, beside what it defines. */
export interface VersionContext extends WritingContext {
  /** Of whoever reads the form on paper. */
  readonly language: 'zh' | 'en'
}

/**
 * Writes a version in a format. `notWritten` tells first which pages could not be taken at all, then what the format
 * has no word for.
 */
export function writeVersion(
  version: Pick<VersionRow, 'folders'>,
  format: VersionFormat,
  context: VersionContext,
): WrittenDefinition {
  const { definition, notWritten } = definitionOf(version)
  const words = context.language === 'en' ? en : zh
  const written =
    format === 'crf'
      ? { content: printCrf(definition, context.studyName, words), notWritten: [] }
      : writeDefinition(definition, format, context)
  return { content: written.content, notWritten: [...notWritten, ...written.notWritten] }
}
