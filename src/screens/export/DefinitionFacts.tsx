import { useTranslation } from 'react-i18next'
import type { DataSetFacts } from '#core/api/calls/data/dataset.ts'
import { foundOf, printOf } from '#core/dataset/definition.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { isPaperFormat, isSdtmFormat } from '#core/dataset/formats.ts'
import { FactList } from '#src/ui/FactList.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { formatKey } from './formatKey.ts'

interface DefinitionFactsProps {
  readonly definition: DataSetDefinition
  /** Names of pages and centers; null where they are not known any more. */
  readonly facts: DataSetFacts | null
}

/** A definition in words, to be read. */
export function DefinitionFacts({ definition, facts }: DefinitionFactsProps) {
  const { t } = useTranslation('dataExport')
  const between = useLanguage() === 'zh' ? '、' : ', '
  const { pages, centers, versions, savedFrom, savedTo, deidentify, formats, sdtm } = definition
  const fieldsIn = (pages ?? []).reduce((sum, { fields }) => sum + (fields?.length ?? 0), 0)
  const nameOfCenter = (id: string) => facts?.centers.find((center) => center.id === id)?.code ?? id
  const nameOfVersion = (id: string) => {
    const no = facts?.versions.find((version) => version.id === id)?.no
    return no === undefined ? id : t('who.version', { no })
  }
  const { queries, photographs } = printOf(definition)
  const found = foundOf(definition)
  const inPaper = [
    t('pages.title'),
    ...(queries ? [t('formats.paper.queries')] : []),
    ...(photographs ? [t('formats.paper.photographs')] : []),
  ]
  return (
    <FactList
      facts={[
        [
          t('pages.title'),
          pages === null ? t('pages.all') : t('pages.chosen', { pages: pages.length, fields: fieldsIn }),
        ],
        [t('who.centers'), centers === null ? t('who.everyCenter') : centers.map(nameOfCenter).join(between)],
        ...(found === null ? [] : [[t('who.found'), found.name] as const]),
        [t('who.versions'), versions === null ? t('who.allVersions') : versions.map(nameOfVersion).join(between)],
        [t('who.entries'), t(definition.entries === 'all' ? 'who.any' : 'who.submitted')],
        ...(savedFrom === null && savedTo === null
          ? []
          : [[t('who.saved'), `${savedFrom ?? '…'} – ${savedTo ?? '…'}`] as const]),
        [t('who.passes'), t(definition.passes === 'both' ? 'who.both' : 'who.first')],
        [t('shape.shape'), t(`shape.${definition.shape}`)],
        [t('shape.values'), t(definition.values === 'both' ? 'shape.valuesBoth' : `shape.${definition.values}`)],
        [t('run.kind'), t(deidentify.on ? 'run.deidentified' : 'run.identified')],
        [t('formats.title'), formats.map((format) => t(`dataFormat.${formatKey(format)}`)).join(between)],
        ...(sdtm === undefined || !formats.some(isSdtmFormat)
          ? []
          : [
              [
                t('sdtm.title'),
                [
                  t('sdtm.mapped', { study: sdtm.study, standard: sdtm.standard }),
                  ...sdtm.domains.map(({ domain }) => domain),
                ].join(between),
              ] as const,
            ]),
        ...(definition.formats.some(isPaperFormat) ? [[t('formats.paper.title'), inPaper.join(between)] as const] : []),
      ]}
    />
  )
}
