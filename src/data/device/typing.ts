import type { EntryTarget } from '#core/sync/entryChange.ts'
import type { Done } from '#offline/draft/journal.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import type { DraftPlaces } from '#src/data/writes/writes.ts'

/** Writes what is typed to the journal, under the scope and entry that it belongs to. */
export class Typing {
  readonly #context: DataContext
  readonly #places: DraftPlaces
  /** Steps whose place is still being looked up; a save or a flush waits for them. */
  #placing: Promise<unknown> = Promise.resolve()
  #unplaced = 0

  constructor(context: DataContext, places: DraftPlaces) {
    this.#context = context
    this.#places = places
  }

  /** One step of typing, or an answer to a warning. */
  add(projectId: string, versionId: string, target: EntryTarget, done: Done, opening?: string): void {
    // A keystroke does not wait for the disk: the place is known since the page was opened, and is looked up again in
    // the background.
    const known = this.#unplaced === 0 ? this.#places.known(projectId, versionId, target) : null
    if (known !== null) {
      this.#context.journal.add(known, done, opening)
      void this.#places.scopeOf(projectId, target.patientId)
      return
    }
    this.#unplaced += 1
    const place = async (): Promise<void> => {
      const of = await this.#places.of(projectId, versionId, target)
      this.#unplaced -= 1
      // This device has no journal for a patient that it does not keep; the page is read-only then.
      if (of.ok) this.#context.journal.add(of.value, done, opening)
    }
    // A step without a place must not keep later steps from getting theirs, nor the page from being saved.
    this.#placing = this.#placing.then(place, place)
  }

  /** Resolves when all that was typed until now is in the journal. */
  placed(): Promise<unknown> {
    return Promise.allSettled([this.#placing])
  }
}
