import { Button, Group, Input, Radio, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { err } from '#core/result.ts'
import { useServerAction } from '#src/data/server.ts'
import { Note } from '#src/ui/Note.tsx'

import type { Approval } from './ApprovalTable.tsx'
import { SignDialog } from './SignDialog.tsx'

interface OwnApprovalProps {
  readonly projectId: string
  readonly crfId: string
  readonly own: Approval
  readonly onDone: () => void
}

/**
 * The own judgement of a test version, which counts once it is signed with the sign-in password; what is changed
 * afterwards is signed again.
 */
export function OwnApproval({ projectId, crfId, own, onDone }: OwnApprovalProps) {
  const { t } = useTranslation('versions')
  const act = useServerAction()
  const [result, setResult] = useState<1 | 2 | null>(own.result)
  const [content, setContent] = useState(own.content ?? '')
  const [suggest, setSuggest] = useState(own.suggest ?? '')
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const [unsigned, setUnsigned] = useState(false)
  const isAsSigned = own.isSign && result === own.result && content === own.content && suggest === own.suggest
  const isWhole = result !== null && content.trim() !== '' && suggest.trim() !== ''
  const missing = (text: string) => (tried && text.trim() === '' ? t('approve.required') : null)

  const ask = () => {
    setTried(true)
    setUnsigned(false)
    if (isWhole) setAsking(true)
  }
  const sign = async (password: string) => {
    if (result === null) return err({ code: 'invalid' } as const)
    const judged = await act('version.approveCheck', {
      query: { crfId },
      projectId,
      body: { result, content: content.trim(), suggest: suggest.trim() },
    })
    return judged.ok ? act('version.approveSign', { query: { crfId }, projectId, body: { password } }) : judged
  }
  const finish = () => {
    setTried(true)
    if (isAsSigned) onDone()
    else setUnsigned(true)
  }
  return (
    <Stack component="section" aria-label={t('approve.own')}>
      <Text fw={600}>{t('approve.own')}</Text>
      {own.isSign && <Text size="sm">{t('approve.changed')}</Text>}
      {own.trial.tried === 0 && <Note tone="warning">{t('trial.untried')}</Note>}
      <Radio.Group
        size="md"
        withAsterisk
        label={t('approve.columns.result')}
        value={result === null ? null : String(result)}
        onChange={(value) => setResult(value === '1' ? 1 : 2)}
        error={tried && result === null ? t('approve.required') : null}
      >
        <Group mt={4}>
          <Radio size="md" value="1" label={t('approve.results.pass')} />
          <Radio size="md" value="2" label={t('approve.results.fail')} />
        </Group>
      </Radio.Group>
      <Textarea
        size="md"
        withAsterisk
        rows={3}
        maxLength={4000}
        label={t('approve.columns.content')}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        error={missing(content)}
      />
      <Textarea
        size="md"
        withAsterisk
        rows={3}
        maxLength={4000}
        label={t('approve.columns.suggest')}
        value={suggest}
        onChange={(event) => setSuggest(event.currentTarget.value)}
        error={missing(suggest)}
      />
      <Input.Wrapper
        component="div"
        size="md"
        withAsterisk
        label={t('approve.columns.sign')}
        labelElement="div"
        error={unsigned && !isAsSigned ? t('approve.pressSign') : null}
      >
        <Group>
          <Text>{t(isAsSigned ? 'approve.signed' : 'approve.unsigned')}</Text>
          {!isAsSigned && (
            <Button size="md" variant="default" onClick={ask}>
              {t('approve.sign')}
            </Button>
          )}
        </Group>
      </Input.Wrapper>
      {unsigned && !isAsSigned && (
        <Note tone="error" live>
          {t('approve.mustSign')}
        </Note>
      )}
      {isAsSigned && tried && (
        <Note tone="done" live>
          {t('approve.signDone')}
        </Note>
      )}
      <Group justify="flex-end">
        <Button size="md" onClick={finish}>
          {t('approve.done')}
        </Button>
      </Group>
      {asking && (
        <SignDialog
          statement={t(result === 1 ? 'approve.meaning.pass' : 'approve.meaning.fail')}
          onSign={sign}
          onClose={() => setAsking(false)}
        />
      )}
    </Stack>
  )
}
