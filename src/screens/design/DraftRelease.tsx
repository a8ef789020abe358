import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { ApiError } from '#core/api/errors.ts'
import { useServerAction } from '#src/data/server.ts'
import { ServerButton } from '#src/frame/shell/ServerButton.tsx'
import { reloadPath } from '#src/paths/redirect.ts'
import { ConfirmDialog } from '#src/ui/dialogs/ConfirmDialog.tsx'
import { Note } from '#src/ui/Note.tsx'
import { useErrorText } from '#src/ui/words/errorText.ts'

import classes from './design.module.css'
import type { DesignEditor } from './designEditor.ts'

interface DraftReleaseProps {
  readonly editor: DesignEditor
  readonly projectId: string
  readonly version: { readonly id: string }
  /** How many problems keep the draft from being tested; the list below the page names them. */
  readonly problems: number
}

/** Releases the draft for testing, once everything is saved. Afterwards the versions are shown with its new stage. */
export function DraftRelease({ editor, projectId, version, problems }: DraftReleaseProps) {
  const { t } = useTranslation(['admin', 'design'])
  const errorText = useErrorText()
  const act = useServerAction()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<ApiError | 'unsaved' | null>(null)
  const release = async () => {
    if (!(await editor.flush())) return setError('unsaved')
    const result = await act('version.releaseTest', { query: { crfId: version.id }, projectId })
    if (!result.ok) return setError(result.error)
    setAsking(false)
    void navigate(reloadPath(`/p/${projectId}/admin/crfHistory`))
  }
  const ask = () => {
    setError(null)
    setAsking(true)
  }
  return (
    <>
      <ServerButton
        className={classes.act ?? ''}
        barred={problems === 0 ? null : t('design:releaseBarred', { count: problems })}
        onClick={ask}
      >
        {t('crf.action.publishTest')}
      </ServerButton>
      {asking && (
        <ConfirmDialog
          opened
          title={t('crf.confirm.publishTest.title')}
          text={
            <Stack gap="sm">
              <Text>{t('crf.confirm.publishTest.text')}</Text>
              {error !== null && (
                <Note tone="error" live>
                  {error === 'unsaved' ? t('design:releaseUnsaved') : errorText(error)}
                  {error !== 'unsaved' &&
                    error.problems?.map(({ target, content }) => (
                      <p key={`${target} ${content}`} className={classes.refusal}>{`${target}：${content}`}</p>
                    ))}
                </Note>
              )}
            </Stack>
          }
          submit={t('crf.action.publishTest')}
          onConfirm={release}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
