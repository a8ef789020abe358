import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import type { DesignFieldKey } from '#core/design/designEdit.ts'
import type { RuleKey } from '#core/design/rules/ruleList.ts'
import { pageNameIn } from '#core/form/definition/inLanguage.ts'
import { newId } from '#core/ids.ts'
import { RULE_ROLES } from '#core/wire/ruleRoles.ts'
import type { RuleKind } from '#core/wire/ruleRoles.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { fieldLabel, modelOf } from './ruleNames.ts'
import classes from './rules.module.css'

interface NewRuleProps {
  readonly design: Design
  readonly onMade: (address: RuleKey) => void
}

/**
 * Makes a new rule: the user chooses its field and its kind. A field has one rule of each kind, and any number of
 * checks.
 */
export function NewRule({ design, onMade }: NewRuleProps) {
  const { t } = useTranslation('rules')
  const language = useLanguage()
  const [pageId, setPageId] = useState<string | null>(null)
  const [field, setField] = useState<string | null>(null)
  const [kind, setKind] = useState<RuleKind>('check')
  const page = pageId === null ? undefined : design.pages.get(pageId)
  const fields = (page === undefined ? [] : (modelOf(page)?.fields ?? []))
    .filter(({ type }) => type !== 'title')
    .flatMap((one) => [
      { value: one.code, label: `${fieldLabel(one, language)} (${one.code})` },
      ...one.children.map((child) => ({
        value: `${one.code}.${child.code}`,
        label: `${fieldLabel(one, language)} · ${fieldLabel(child, language)} (${child.code})`,
      })),
    ])
  const make = () => {
    if (pageId === null || field === null) return
    const [first = '', second] = field.split('.')
    const target: DesignFieldKey =
      second === undefined ? { pageId, table: null, prop: first } : { pageId, table: first, prop: second }
    // The check comes into the design with its first text.
    onMade({ ...target, kind, checkId: kind === 'check' ? newId() : null })
  }
  const pages = [...new Set(design.folders.flatMap(({ pageIds }) => pageIds))].flatMap((id) => {
    const one = design.pages.get(id)
    return one === undefined ? [] : [{ value: id, label: `${pageNameIn(language, one)} (${one.pageCode})` }]
  })
  return (
    <section className={classes.card} aria-label={t('make.title')}>
      <h2 className={classes.cardTitle}>{t('make.title')}</h2>
      <div className={classes.make}>
        <Select
          label={t('make.page')}
          data={pages}
          value={pageId}
          searchable
          limit={200}
          onChange={(next) => {
            setPageId(next)
            setField(null)
          }}
        />
        <Select
          label={t('make.field')}
          data={fields}
          value={field}
          searchable
          limit={200}
          nothingFoundMessage={t('pick.none')}
          onChange={setField}
        />
        <Select
          label={t('make.kind')}
          data={RULE_ROLES.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind}
          allowDeselect={false}
          onChange={(next) => setKind(RULE_ROLES.find((one) => one === next) ?? 'check')}
        />
        <Button h={40} disabled={field === null} onClick={make}>
          {t('make.begin')}
        </Button>
      </div>
      <p className={classes.hint}>{t(`means.${kind}`)}</p>
    </section>
  )
}
