import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Design } from '#core/design/design.ts'
import type { RuleKey, RuleLine } from '#core/design/rules/ruleList.ts'
import { ruleAt, ruleKey, rulesOf } from '#core/design/rules/ruleList.ts'
import type { VersionProblem } from '#core/design/versionProblems.ts'
import type { RuleResult } from '#core/rules/rule.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { ConflictList } from '../ConflictList.tsx'
import { Saving, UndoActions, onUndoKey } from '../DesignBar.tsx'
import { JoinedNote } from '../DraftActs.tsx'
import designClasses from '../design.module.css'
import type { OpenedDesign } from '../openDesign.tsx'
import { fieldRuleReader } from '../ruleReader.ts'
import { useProblems } from '../useProblems.ts'
import { EnteredBench } from './EnteredBench.tsx'
import { FaultList } from './FaultList.tsx'
import { MadeUpBench } from './MadeUpBench.tsx'
import { NewRule } from './NewRule.tsx'
import { RuleEditor } from './RuleEditor.tsx'
import { RuleGraphView } from './RuleGraphView.tsx'
import { RuleList, useLabels } from './RuleList.tsx'
import { ruleNames } from './ruleNames.ts'
import classes from './rules.module.css'

interface RulesProps extends OpenedDesign {
  readonly canEdit: boolean
}

/** All rules, beside them the rule that is being written, and below it the bench that tries it. */
export function Rules({ editor, view, projectId, version, isDraft, waits, permissions, canEdit }: RulesProps) {
  const { t } = useTranslation(['rules', 'design'])
  const [chosen, setChosen] = useState<RuleKey | null>(null)
  const [making, setMaking] = useState(false)
  // A check that was begun and has no text yet is in no design.
  const [begun, setBegun] = useState<string | null>(null)
  const [faultsShown, setFaultsShown] = useState(false)
  const { design } = view
  const mayTry = permissions.includes('rule_edit')
  const lines = useMemo(() => rulesOf(design), [design])
  const problems = useProblems(design) ?? []
  const choose = (address: RuleKey | null) => {
    setChosen(address)
    setMaking(false)
  }
  return (
    // These keys work on the whole screen; a button does the same for each.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={designClasses.designer}
      onKeyDown={(event) =>
        canEdit &&
        !(event.target instanceof HTMLElement && event.target.matches('input, textarea')) &&
        onUndoKey(editor, event)
      }
    >
      <RulesBar
        {...{ editor, view, version, canEdit, mayTry, faultsShown }}
        onFaults={() => setFaultsShown(!faultsShown)}
        onMake={() => setMaking(true)}
      />
      {!canEdit && <Note tone="info">{t(isDraft ? 'readOnlyRights' : 'design:readOnly')}</Note>}
      {waits && <Note tone="warning">{t('design:waits')}</Note>}
      {view.joined.length > 0 && <JoinedNote acts={view.joined} />}
      {view.conflicts.length > 0 && <ConflictList editor={editor} view={view} />}
      <CirclesNote problems={problems} />
      <div className={classes.panes}>
        <RuleList design={design} lines={lines} problems={problems} chosen={chosen} onChoose={choose} />
        <div className={classes.work}>
          {faultsShown && <FaultList design={design} projectId={projectId} crfId={version.id} onChoose={choose} />}
          {making && canEdit && (
            <NewRule
              design={design}
              onMade={(address) => {
                setBegun(address.checkId)
                choose(address)
              }}
            />
          )}
          {!making && chosen === null && (
            <EmptyState title={t('none.title')} text={t(canEdit ? 'none.text' : 'none.read')} />
          )}
          {!making && chosen !== null && (
            <OneRule
              key={ruleKey(chosen)}
              {...{ editor, design, projectId, canEdit, mayTry }}
              crfId={version.id}
              address={chosen}
              isBegun={chosen.checkId !== null && chosen.checkId === begun}
              line={ruleAt(design, chosen)}
              onChoose={choose}
            />
          )}
        </div>
      </div>
    </div>
  )
}

interface RulesBarProps extends Pick<RulesProps, 'editor' | 'view' | 'version' | 'canEdit'> {
  /** Whether the user may try rules on entered data, and see where rules failed on them. */
  readonly mayTry: boolean
  readonly faultsShown: boolean
  readonly onFaults: () => void
  readonly onMake: () => void
}

/** The tools for all rules: the list of failures, undo, and a new rule. */
function RulesBar({ editor, view, version, canEdit, mayTry, faultsShown, onFaults, onMake }: RulesBarProps) {
  const { t } = useTranslation('rules')
  return (
    <div className={designClasses.bar}>
      <h1 className={designClasses.title}>
        {t('title')} <span className={designClasses.version}>{version.versionNoDesc}</span>
      </h1>
      <span className={designClasses.spring} />
      {mayTry && (
        <Button size="sm" h={40} variant="default" aria-expanded={faultsShown} onClick={onFaults}>
          {t('faults.open')}
        </Button>
      )}
      {canEdit && (
        <>
          <UndoActions editor={editor} view={view} />
          <Button size="sm" h={40} leftSection={<IconPlus size={18} aria-hidden="true" />} onClick={onMake}>
            {t('make.open')}
          </Button>
          <Saving view={view} />
        </>
      )}
    </div>
  )
}

/** Circles of rules that wait for each other; nothing where there are none. */
function CirclesNote({ problems }: { readonly problems: readonly VersionProblem[] }) {
  const { t } = useTranslation('rules')
  const circles = problems.filter(({ kind }) => kind === 'cycle')
  if (circles.length === 0) return null
  return (
    <Note tone="error" title={t('circle.title')} live>
      <ul className={classes.circles}>
        {circles.map(({ says, page }) => (
          <li key={`${page ?? ''} ${says}`}>
            <code>{says}</code>
          </li>
        ))}
      </ul>
    </Note>
  )
}

interface OneRuleProps extends Pick<RulesProps, 'editor' | 'projectId' | 'canEdit'> {
  readonly crfId: string
  /** Whether the user may try the rule on entered data. */
  readonly mayTry: boolean
  readonly design: Design
  readonly address: RuleKey
  readonly line: RuleLine | null
  /** Whether the rule was begun just now, and may have no text yet. */
  readonly isBegun: boolean
  readonly onChoose: (address: RuleKey) => void
}

/** One rule, with its editor, its bench and its graph. */
function OneRule({
  editor,
  design,
  projectId,
  crfId,
  canEdit,
  mayTry,
  address,
  line,
  isBegun,
  onChoose,
}: OneRuleProps) {
  const { t } = useTranslation('rules')
  const language = useLanguage()
  const labels = useLabels(design)
  const { pageId, table, prop, kind } = address
  const reader = useMemo(() => fieldRuleReader(design, { pageId, table, prop }), [design, pageId, table, prop])
  const names = useMemo(
    () => ruleNames(design, { pageId, table, prop }, language),
    [design, pageId, table, prop, language],
  )
  const [read, setRead] = useState<{ readonly text: string; readonly result: RuleResult | null }>({
    text: '',
    result: null,
  })
  const page = design.pages.get(pageId)
  const isGone = reader === null || page === undefined || (kind === 'check' && line === null && !isBegun)
  if (isGone) return <EmptyState title={t('gone')} />
  const rule = read.result?.ok === true ? read.result.rule : null
  return (
    <>
      <section className={classes.card} aria-label={t('editor.title')}>
        <h2 className={classes.cardTitle}>
          {t(`kinds.${kind}`)}：{labels(address)}{' '}
          <code className={classes.codeLine}>{`${page.pageCode}.${table === null ? '' : `${table}.`}${prop}`}</code>
        </h2>
        <p className={classes.hint}>{t(`means.${kind}`)}</p>
        <RuleEditor {...{ editor, design, address, line, names, reader, canEdit }} onRead={setRead} />
      </section>
      <section className={classes.card} aria-label={t('bench.title')}>
        <Tabs defaultValue="made" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="made">{t('bench.made')}</Tabs.Tab>
            <Tabs.Tab value="graph">{t('graph.title')}</Tabs.Tab>
            {mayTry && <Tabs.Tab value="entered">{t('bench.entered')}</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="made">
            {rule === null ? (
              <p className={classes.hint}>{t('bench.noRule')}</p>
            ) : (
              <MadeUpBench key={rule.source} rule={rule} kind={kind} names={names} reader={reader} />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="graph">
            <RuleGraphView design={design} address={address} onChoose={onChoose} />
          </Tabs.Panel>
          {mayTry && (
            <Tabs.Panel value="entered">
              {rule === null ? (
                <p className={classes.hint}>{t('bench.noRule')}</p>
              ) : (
                <EnteredBench
                  key={rule.source}
                  {...{ projectId, crfId, kind }}
                  pageId={pageId}
                  table={table}
                  source={rule.source}
                />
              )}
            </Tabs.Panel>
          )}
        </Tabs>
      </section>
    </>
  )
}
