import { useTranslation } from 'react-i18next'

import type { FileTrouble } from './useDefinitionFile.ts'

/** Why a chosen file cannot be used, and the place in it. */
export function FileTroubleText({ trouble }: { readonly trouble: FileTrouble }) {
  const { t } = useTranslation('admin')
  switch (trouble.kind) {
    case 'not-csv':
      return t('crf.import.failed.not-csv', { line: trouble.line })
    case 'missing-columns':
      return t('crf.import.failed.missing-columns', { columns: trouble.columns.join(', ') })
    case 'bad-encoding':
    case 'unknown-encoding':
      return t(`crf.import.failed.${trouble.kind}`, { line: trouble.line, byte: trouble.byte })
    case 'bad-text':
      return t('crf.import.failed.bad-text', { row: trouble.row })
    case 'not-xml':
      return t('crf.import.failed.not-xml', { line: trouble.line })
    case 'xml-entities':
      return t('crf.import.failed.xml-entities', { line: trouble.line })
    case 'odm-version':
      return t('crf.import.failed.odm-version', { version: trouble.version })
    case 'clinical-data-only':
      return t('crf.import.failed.clinical-data-only', { subjects: trouble.subjects })
    case 'openclinica-rules':
      return t('crf.import.failed.openclinica-rules', { rules: trouble.rules })
    case 'fhir':
      return t('crf.import.failed.fhir', { type: trouble.resourceType, count: trouble.expressions.length })
    case 'other-kind':
      return t('crf.import.failed.other-kind', { found: trouble.found })
    case 'missing-sheets':
      return t('crf.import.failed.missing-sheets', { sheets: trouble.sheets.join(', ') })
    case 'wrong-shape':
      return t('crf.import.failed.wrong-shape', { path: trouble.path })
    case 'newer-version':
      return t('crf.import.failed.newer-version', { version: trouble.version })
    case 'empty':
    case 'too-large':
    case 'unreadable':
    case 'no-metadata':
    case 'not-a-workbook':
    case 'encrypted':
    case 'old-workbook':
    case 'document-type':
    case 'unknown-format':
      return t(`crf.import.failed.${trouble.kind}`)
  }
}
