import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useOutletContext, useParams } from 'react-router-dom'
import type { DatabasePage } from '#core/api/calls/data/database.ts'
import type { SavedSearch } from '#core/api/calls/data/search.ts'
import { MOST_CONDITIONS } from '#core/dataset/conditions.ts'
import type { Condition } from '#core/dataset/conditions.ts'
import { sentenceOf } from '#core/dataset/conditionWords.ts'
import { useCenters } from '#src/data/hooks/projects.ts'
import { makeUnsent } from '#src/data/hooks/unsent.ts'
import { useServerQuery } from '#src/data/server.ts'
import type { WorkspacePlace } from '#src/frame/layouts/workspacePlace.ts'
import { NoAccess } from '#src/frame/shell/NoAccess.tsx'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { databasePath, foundPath } from '#src/paths/screenPaths.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { PageFrame, Panel } from '#src/ui/PageFrame.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'

import { ConditionGroup } from './ConditionGroup.tsx'
import { FoundSubjects } from './FoundSubjects.tsx'
import { SaveSearch } from './SaveSearch.tsx'
import { SavedSearches } from './SavedSearches.tsx'
import { conditionOf, isFull, isIncomplete, newDraft, newGroup, rootFrom } from './draft.ts'
import type { GroupDraft } from './draft.ts'
import classes from './search.module.css'
import { useConditionNames, useFields, wantFieldsOf } from './useFields.ts'
import { useLiveCount } from './useLiveCount.ts'

/** Finding subjects by conditions over their answers: only the server has all of them. */
export function SearchScreen() {
  const { project } = useOutletContext<WorkspacePlace>()
  return project.permissions.includes('search_view') ? <Search project={project} /> : <NoAccess />
}

function Search({ project }: WorkspacePlace) {
  const { t } = useTranslation('search')
  const pages = useServerQuery('database.pages', { query: { projectId: project.id }, projectId: project.id })
  return (
    <PageFrame title={t('title')} intro={t('intro')} wide>
      <Loaded of={pages} rows={8}>
        {(value) => <Builder project={project} pages={value} />}
      </Loaded>
    </PageFrame>
  )
}

const EVERYBODY: Condition = { kind: 'all', of: [] }

interface BuilderProps extends WorkspacePlace {
  readonly pages: readonly DatabasePage[]
}

/** What is built stays whatever the server says: rights may end and the network may go while somebody builds. */
function Builder({ project, pages }: BuilderProps) {
  const { t } = useTranslation('search')
  const language = useLanguage()
  const [{ draft, saved }, change] = useBuilt(project.id)
  const setDraft = (to: GroupDraft) => change({ draft: to })
  const setSaved = (to: SavedSearch | null) => change({ saved: to })
  const [opening, setOpening] = useState<SavedSearch | null>(null)
  const [isSaving, setSaving] = useState(false)
  const centers = useCenters(project.id)
  const known = centers.state === 'ready' ? centers.value : []
  const fields = useFields(project.id)
  const names = useConditionNames(pages, known, fields)
  const searches = useServerQuery('search.list', { query: { projectId: project.id }, projectId: project.id })
  const condition = conditionOf(draft) ?? EVERYBODY
  const isKept = saved !== null && JSON.stringify(saved.condition) === JSON.stringify(condition)
  useOpening(opening, fields, (search, root) => {
    change({ draft: root, saved: search })
    setOpening(null)
  })
  const open = (search: SavedSearch) => {
    wantFieldsOf(fields, search.condition)
    setOpening(search)
  }
  const full = isFull(draft)
  return (
    <>
      <SavedSearches
        projectId={project.id}
        searches={searches.state === 'ready' ? searches.value : []}
        onOpen={open}
        onRemoved={(id) => saved?.id === id && setSaved(null)}
      />
      <Panel title={saved === null ? t('conditions') : `${t('conditions')} · ${saved.name}`}>
        <ConditionGroup
          group={draft}
          known={{ pages, centers: known, fields, isFull: full }}
          depth={0}
          onChange={setDraft}
          onRemove={null}
        />
        {full && <Note tone="info">{t('full', { most: MOST_CONDITIONS })}</Note>}
        <h3>{t('sentence')}</h3>
        <p className={classes.sentence}>{sentenceOf(condition, names, language)}</p>
        {isIncomplete(draft) && <Note tone="info">{t('incomplete')}</Note>}
        <Count projectId={project.id} condition={condition} />
        <div className={classes.tools}>
          <ServerButton size="md" onClick={() => setSaving(true)}>
            {t('save.open')}
          </ServerButton>
          <Button
            size="md"
            variant="default"
            onClick={() => change({ draft: newGroup([newDraft('field')]), saved: null })}
          >
            {t('fresh')}
          </Button>
          <Ways project={project} searchId={isKept ? saved.id : null} />
        </div>
      </Panel>
      <FoundSubjects project={project} condition={condition} fields={fields} />
      {isSaving && (
        <SaveSearch
          projectId={project.id}
          condition={condition}
          of={saved?.isOwn === true ? saved : null}
          onSaved={setSaved}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}

/** What somebody builds, and the kept search that it came from. */
interface Built {
  readonly draft: GroupDraft
  readonly saved: SavedSearch | null
}

const useUnsentSearch = makeUnsent<Built>()

/** What is built in a project: it is there again when one comes back from the subjects that it found. */
function useBuilt(projectId: string): readonly [Built, (change: Partial<Built>) => void] {
  const [begun, setBegun] = useUnsentSearch(projectId)
  const [fresh] = useState<Built>(() => ({ draft: newGroup([newDraft('field')]), saved: null }))
  const change = (to: Partial<Built>) => setBegun((now) => ({ ...(now ?? fresh), ...to }))
  return [begun ?? fresh, change]
}

/** Opens a kept search once it is known what its fields hold. */
function useOpening(
  opening: SavedSearch | null,
  fields: ReturnType<typeof useFields>,
  onOpened: (search: SavedSearch, root: GroupDraft) => void,
): void {
  const isKnown = opening !== null && allKnown(opening.condition, fields)
  useEffect(() => {
    if (opening === null || !isKnown) return
    onOpened(
      opening,
      rootFrom(opening.condition, (field) => fields.find(field)?.kind ?? 'text'),
    )
    // It is opened once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [opening, isKnown])
}

function allKnown(of: Condition, fields: ReturnType<typeof useFields>): boolean {
  switch (of.kind) {
    case 'all':
    case 'any':
      return of.of.every((one) => allKnown(one, fields))
    case 'not':
      return allKnown(of.of, fields)
    case 'field':
      return fields.columnsOf(of.field.pageId, of.field.table) !== null
    case 'center':
    case 'sex':
    case 'enrolled':
      return true
  }
}

function Count({ projectId, condition }: { readonly projectId: string; readonly condition: Condition }) {
  const { t } = useTranslation('search')
  const errorText = useErrorText()
  const { answer, isCounting } = useLiveCount(projectId, condition)
  if (answer?.ok === false)
    return (
      <Note tone="error" live>
        {errorText(answer.error)}
      </Note>
    )
  return (
    <output className={classes.count} aria-live="polite">
      {answer === null || isCounting ? t('counting') : t('count', answer.value)}
    </output>
  )
}

/** Where the subjects of a kept search are looked at. */
function Ways({ project, searchId }: WorkspacePlace & { readonly searchId: string | null }) {
  const { t } = useTranslation('search')
  const { crfId = '' } = useParams()
  if (searchId === null) return <span className={classes.by}>{t('savedFirst')}</span>
  const lists = [
    ['patients', t('inPatients')] as const,
    ['workspace', t('inMatrix')] as const,
    ...(project.functions?.includes('query') === true ? [['query', t('inQueries')] as const] : []),
  ]
  return (
    <>
      {lists.map(([list, words]) => (
        <Button
          key={list}
          size="md"
          variant="default"
          component={Link}
          to={foundPath(list, project.id, crfId, searchId)}
        >
          {words}
        </Button>
      ))}
      {project.permissions.includes('database_view') && (
        <Button size="md" variant="default" component={Link} to={databasePath(project.id, crfId, searchId)}>
          {t('inDatabase')}
        </Button>
      )}
    </>
  )
}
