import { CloseButton } from '@mantine/core'
import { IconCornerDownLeft, IconSearch } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

import classes from './palette.module.css'
import type { Choice, Choices } from './useChoices.ts'

interface PaletteFrameProps extends Choices {
  /** What is typed. */
  readonly text: string
  readonly onText: (text: string) => void
  readonly onChoose: (choice: Choice) => void
  readonly onClose: () => void
}

/** The box to type in, and below it what the text leads to; a combobox with its list. */
export function PaletteFrame({ text, groups, isFresh, onText, onChoose, onClose }: PaletteFrameProps) {
  const { t } = useTranslation(['palette', 'common'])
  const list = useId()
  const wanted = text.trim()
  const choices = groups.flatMap((group) => group.choices)
  const { active, move, moveTo, enter } = useActive(wanted, choices, isFresh, onChoose)
  const onKeyDown = (event: KeyboardEvent) => {
    // A Chinese word that is still being composed ends with Enter, too.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') enter()
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else return
    event.preventDefault()
  }
  const count = isFresh ? choices.length : null
  return (
    <>
      <div className={classes.box}>
        <IconSearch size={20} aria-hidden="true" />
        <input
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label={t('label')}
          aria-expanded={choices.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={active === null ? undefined : optionId(list, active)}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={t('label')}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <CloseButton size="var(--zl-control)" iconSize={20} aria-label={t('common:action.close')} onClick={onClose} />
      </div>
      <ChoiceList id={list} groups={groups} active={active} onActive={moveTo} onChoose={onChoose} />
      {count === 0 && <p className={classes.none}>{t('none', { text: wanted })}</p>}
      <output className={classes.hidden}>{count === null || wanted === '' ? '' : t('count', { count })}</output>
    </>
  )
}

interface ChoiceListProps extends Pick<Choices, 'groups'> {
  readonly id: string
  readonly active: Choice | null
  readonly onActive: (choice: Choice) => void
  readonly onChoose: (choice: Choice) => void
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- no list of a <select> stays open below a box that is typed into */
function ChoiceList({ id, groups, active, onActive, onChoose }: ChoiceListProps) {
  const { t } = useTranslation('palette')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={box} id={id} className={classes.list} role="listbox" aria-label={t('label')} hidden={groups.length === 0}>
      {groups.map(({ kind, choices }) => (
        <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
          <p className={classes.group} id={`${id}-${kind}`}>
            {t(`group.${kind}`)}
          </p>
          {choices.map((choice) => (
            // The keys are at the box above, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={choice.id}
              id={optionId(id, choice)}
              className={classes.option}
              role="option"
              aria-selected={choice.id === active?.id}
              onPointerMove={() => onActive(choice)}
              onClick={() => onChoose(choice)}
            >
              <choice.icon size={20} aria-hidden="true" />
              <span className={classes.words}>
                <span className={classes.name}>{choice.name}</span>
                <span className={classes.note}>{choice.note}</span>
              </span>
              <IconCornerDownLeft size={16} className={classes.enter} aria-hidden="true" />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
/* oxlint-enable jsx-a11y/prefer-tag-over-role */

function optionId(list: string, { id }: Choice): string {
  return `${list}-${id.replaceAll(/[^\w-]/g, '_')}`
}

/**
 * The line that Enter takes: the first, or the one that arrows or the pointer chose for this text. Enter that comes
 * before the subjects of the text waits for them: the first of the text before would be somebody else.
 */
function useActive(
  text: string,
  choices: readonly Choice[],
  isFresh: boolean,
  go: (choice: Choice) => void,
): {
  readonly active: Choice | null
  readonly move: (step: 1 | -1) => void
  readonly moveTo: (choice: Choice) => void
  readonly enter: () => void
} {
  const [chosen, setChosen] = useState<{ readonly text: string; readonly id: string } | null>(null)
  const entered = useRef<string | null>(null)
  const at = chosen?.text === text ? choices.findIndex(({ id }) => id === chosen.id) : -1
  const active = choices[Math.max(at, 0)] ?? null
  useEffect(() => {
    if (entered.current !== text || !isFresh || active === null) return
    entered.current = null
    go(active)
  }, [text, isFresh, active, go])
  const moveTo = ({ id }: Choice) => setChosen({ text, id })
  return {
    active,
    moveTo,
    move: (step) => {
      const next = choices.at((Math.max(at, 0) + step) % choices.length)
      if (next !== undefined) moveTo(next)
    },
    enter: () => {
      if (isFresh && active !== null) go(active)
      else entered.current = text
    },
  }
}
