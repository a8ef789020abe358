import { Badge, Button, Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import { isMandatory, projectFunctions } from '#core/access/functions.ts'
import type { AuthResource } from '#core/api/calls/project.ts'
import type { ApiError } from '#core/api/errors.ts'
import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { Language } from '#core/language.ts'
import { reloadPath } from '#src/paths/redirect.ts'
import { useServerAction, useServerQuery } from '#src/data/server.ts'
import { Loaded } from '#src/ui/Loaded.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'
import { useLanguage } from '#src/ui/words/useLanguage.ts'
import { Sheet, SheetFoot } from '#src/ui/dialogs/Sheet.tsx'

import classes from './functions.module.css'

interface FunctionsDialogProps {
  readonly project: ProjectRow
  readonly onClose: () => void
}

/**
 * Chooses the functions that a project uses. Mandatory ones are checked and cannot be unchecked; hidden ones are not
 * shown (specification §3).
 */
export function FunctionsDialog({ project, onClose }: FunctionsDialogProps) {
  const { t } = useTranslation(['shell', 'common'])
  const functions = useServerQuery('project.resourceList', { query: { projectId: project.id }, projectId: project.id })
  return (
    <Sheet onClose={onClose} title={t('functions.title')} size="lg" isTall>
      <Loaded of={functions} rows={4}>
        {(all) => <FunctionsForm project={project} all={all} onClose={onClose} />}
      </Loaded>
    </Sheet>
  )
}

function FunctionsForm({ project, all, onClose }: FunctionsDialogProps & { readonly all: readonly AuthResource[] }) {
  const { t } = useTranslation(['shell', 'common'])
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const errorText = useErrorText()
  const language = useLanguage()
  const act = useServerAction()
  const [chosen, setChosen] = useState(() => all.filter(({ isDisabled }) => !isDisabled).map(({ id }) => id))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const save = async () => {
    setBusy(true)
    const result = await act('project.resourceConfig', {
      body: { projectId: project.id, resourceIds: chosen },
      projectId: project.id,
    })
    setBusy(false)
    if (!result.ok) return setError(result.error)
    onClose()
    return navigate(reloadPath(`${pathname}${search}`))
  }
  return (
    <Stack>
      <Text size="sm">{t('functions.text')}</Text>
      {error !== null && (
        <Note tone="error" live>
          {errorText(error)}
        </Note>
      )}
      <Checkbox.Group value={chosen} onChange={setChosen} aria-label={t('functions.title')}>
        <div className={classes.grid}>
          {all
            .filter(({ level }) => level !== -1)
            .map((one) => inWords(one, language))
            .map((one) => (
              <Checkbox.Card
                key={one.id}
                value={one.id}
                className={classes.card ?? ''}
                disabled={isMandatory(one)}
                data-fixed={isMandatory(one)}
              >
                <Checkbox.Indicator disabled={isMandatory(one)} mt={2} />
                <span className={classes.words}>
                  <span className={classes.name}>
                    {one.name}
                    {one.level === 2 && (
                      <Badge variant="light" radius="sm" tt="none">
                        {t('functions.advanced')}
                      </Badge>
                    )}
                    {isMandatory(one) && <small>{t('functions.mandatory')}</small>}
                  </span>
                  {one.remark !== null && <span className={classes.remark}>{one.remark}</span>}
                </span>
              </Checkbox.Card>
            ))}
        </div>
      </Checkbox.Group>
      <SheetFoot>
        <Button variant="default" size="md" onClick={onClose}>
          {t('common:action.cancel')}
        </Button>
        <Button size="md" loading={busy} onClick={() => void save()}>
          {t('functions.submit')}
        </Button>
      </SheetFoot>
    </Stack>
  )
}

/**
 * The server's words are in the language in which it was asked: those that both know by code follow a change at
 * once.
 */
function inWords(one: AuthResource, language: Language): AuthResource {
  const known = projectFunctions.find(({ code }) => code === one.code)
  return known === undefined ? one : { ...one, name: known.name[language], remark: known.remark[language] }
}
