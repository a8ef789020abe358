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

/** A tester's judgement of a version. */
interface Judgement {
  readonly result: Approval['result']
  readonly content: string
  readonly suggest: string
}

/**
 * The user's own judgement of a test version. It counts once it is signed with the sign-in password; a change needs a
 * new signature.
 */
export function OwnApproval({ projectId, crfId, own, onDone }: OwnApprovalProps) {
  const { t } = useTranslation('versions')
  const sign = useSigning(projectId, crfId)
  const [judgement, setJudgement] = useState<Judgement>({
    result: own.result,
    content: own.content ?? '',
    suggest: own.suggest ?? '',
  })
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState(false)
  const [unsigned, setUnsigned] = useState(false)
  const isAsSigned = isSigned(own, judgement)
  const mustSign = unsigned && !isAsSigned

  const ask = () => {
    setTried(true)
    setUnsigned(false)
    if (isWhole(judgement)) setAsking(true)
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
      <JudgementFields
        judgement={judgement}
        onChange={(part) => setJudgement((before) => ({ ...before, ...part }))}
        tried={tried}
      />
      <SignatureField isAsSigned={isAsSigned} mustSign={mustSign} onSign={ask} />
      {mustSign && (
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
          statement={t(judgement.result === 1 ? 'approve.meaning.pass' : 'approve.meaning.fail')}
          onSign={(password) => sign(judgement, password)}
          onClose={() => setAsking(false)}
        />
      )}
    </Stack>
  )
}

/** Saves a judgement and signs it. */
function useSigning(projectId: string, crfId: string) {
  const act = useServerAction()
  return async ({ result, content, suggest }: Judgement, password: string) => {
    if (result === null) return err({ code: 'invalid' } as const)
    const judged = await act('version.approveCheck', {
      query: { crfId },
      projectId,
      body: { result, content: content.trim(), suggest: suggest.trim() },
    })
    return judged.ok ? act('version.approveSign', { query: { crfId }, projectId, body: { password } }) : judged
  }
}

/** Whether the judgement is exactly the one that was signed. */
function isSigned(own: Approval, { result, content, suggest }: Judgement): boolean {
  return own.isSign && result === own.result && content === own.content && suggest === own.suggest
}

/** Whether the judgement is complete, so that it can be signed. */
function isWhole({ result, content, suggest }: Judgement): boolean {
  return result !== null && content.trim() !== '' && suggest.trim() !== ''
}

interface JudgementFieldsProps {
  readonly judgement: Judgement
  readonly onChange: (part: Partial<Judgement>) => void
  /** Whether the form says what is missing. */
  readonly tried: boolean
}

function JudgementFields({ judgement: { result, content, suggest }, onChange, tried }: JudgementFieldsProps) {
  const { t } = useTranslation('versions')
  const missing = (text: string) => (tried && text.trim() === '' ? t('approve.required') : null)
  return (
    <>
      <Radio.Group
        size="md"
        withAsterisk
        label={t('approve.columns.result')}
        value={result === null ? null : String(result)}
        onChange={(value) => onChange({ result: value === '1' ? 1 : 2 })}
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
        onChange={(event) => onChange({ content: event.currentTarget.value })}
        error={missing(content)}
      />
      <Textarea
        size="md"
        withAsterisk
        rows={3}
        maxLength={4000}
        label={t('approve.columns.suggest')}
        value={suggest}
        onChange={(event) => onChange({ suggest: event.currentTarget.value })}
        error={missing(suggest)}
      />
    </>
  )
}

interface SignatureFieldProps {
  readonly isAsSigned: boolean
  /** Whether the user tried to finish without a signature. */
  readonly mustSign: boolean
  readonly onSign: () => void
}

function SignatureField({ isAsSigned, mustSign, onSign }: SignatureFieldProps) {
  const { t } = useTranslation('versions')
  return (
    <Input.Wrapper
      component="div"
      size="md"
      withAsterisk
      label={t('approve.columns.sign')}
      labelElement="div"
      error={mustSign ? t('approve.pressSign') : null}
    >
      <Group>
        <Text>{t(isAsSigned ? 'approve.signed' : 'approve.unsigned')}</Text>
        {!isAsSigned && (
          <Button size="md" variant="default" onClick={onSign}>
            {t('approve.sign')}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}
