import { Stack, Switch, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlacedField } from '#core/dataset/definition.ts'
import { Note } from '#src/ui/Note.tsx'
import { Panel } from '#src/ui/PageFrame.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import classes from '../export.module.css'
import { FieldChooser } from './FieldChooser.tsx'
import { chosenKeys, fieldKey, pagesToChoose } from './fieldPages.ts'
import type { ShownField, ShownPage } from './fieldPages.ts'
import type { SectionProps } from './section.ts'

const RULES = ['subject', 'dates', 'identity', 'text', 'files', 'people', 'unfit'] as const

/** What is left out so that nobody is recognised, in words, and what a person decides about it. */
export function DeidentifySection({ definition, facts, put }: SectionProps) {
  const { t } = useTranslation('dataExport')
  const language = useLanguage()
  const { deidentify } = definition
  const wanted = useMemo(() => {
    const pages = pagesToChoose(facts, language)
    const chosen = chosenKeys(pages, definition)
    return pages.map((page) => ({ ...page, fields: page.fields.filter((field) => chosen.has(fieldKey(field))) }))
  }, [facts, language, definition])
  return (
    <Panel title={t('deidentify.title')}>
      <Stack gap="md">
        <Switch
          size="md"
          label={t('deidentify.on')}
          description={facts.mayIdentify ? undefined : t('deidentify.locked')}
          checked={deidentify.on}
          disabled={!facts.mayIdentify}
          onChange={(event) => put({ deidentify: { ...deidentify, on: event.currentTarget.checked } })}
        />
        {deidentify.on ? (
          <>
            <div>
              <Text className={classes.label}>{t('deidentify.what')}</Text>
              <ul className={classes.rules}>
                {RULES.map((rule) => (
                  <li key={rule}>{t(`deidentify.rules.${rule}`)}</li>
                ))}
              </ul>
            </div>
            <Marked
              title={t('deidentify.keep')}
              hint={t('deidentify.keepHint')}
              none={t('deidentify.noText')}
              pages={onlyWith(wanted, ({ fact }) => fact.isText && !fact.identifies)}
              marked={deidentify.keepText}
              onChange={(keepText) => put({ deidentify: { ...deidentify, keepText } })}
            />
            <Marked
              title={t('deidentify.ages')}
              hint={t('deidentify.agesHint')}
              none={t('deidentify.noNumber')}
              pages={onlyWith(wanted, ({ fact }) => fact.isNumber)}
              marked={deidentify.ages}
              onChange={(ages) => put({ deidentify: { ...deidentify, ages } })}
            />
          </>
        ) : (
          <Note tone="warning">
            {t('deidentify.off')} {t(facts.maySeeIdentity ? 'deidentify.identity' : 'deidentify.noIdentity')}
          </Note>
        )}
      </Stack>
    </Panel>
  )
}

function onlyWith(pages: readonly ShownPage[], isMeant: (field: ShownField) => boolean): readonly ShownPage[] {
  return pages.flatMap((page) => {
    const fields = page.fields.filter(isMeant)
    return fields.length === 0 ? [] : [{ ...page, fields }]
  })
}

interface MarkedProps {
  readonly title: string
  readonly hint: string
  readonly none: string
  readonly pages: readonly ShownPage[]
  readonly marked: readonly PlacedField[]
  readonly onChange: (marked: PlacedField[]) => void
}

/** Fields that a person marks; folded away, because most data sets mark few. */
function Marked({ title, hint, none, pages, marked, onChange }: MarkedProps) {
  const chosen = new Set(marked.map(fieldKey))
  return (
    <details className={classes.folded}>
      <summary>
        {title} ({marked.length})
      </summary>
      <Text size="sm" c="dimmed">
        {pages.length === 0 ? none : hint}
      </Text>
      {pages.length > 0 && (
        <FieldChooser
          label={title}
          pages={pages}
          chosen={chosen}
          onChange={(keys) =>
            onChange(
              pages.flatMap(({ fields }) =>
                fields
                  .filter((field) => keys.has(fieldKey(field)))
                  .map(({ pageId, table, code }) => ({ pageId, table, code })),
              ),
            )
          }
        />
      )}
    </details>
  )
}
