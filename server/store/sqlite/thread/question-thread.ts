/**
 * Questions to the embedded store in a thread of their own, each with a limit. SQLite cannot be told to stop: when a question
 * takes too long its thread is ended, and those that waited behind it are asked again in a new one. So this is for questions
 * alone, never for changes.
 */
import type { Store } from '../../store.ts'
import { TookTooLong } from '../../store-errors.ts'
import type { StoreThread } from './threaded-store.ts'

interface Question {
  readonly operation: string
  readonly argument: unknown
  readonly answer: PromiseWithResolvers<unknown>
  readonly timer: NodeJS.Timeout
}

type Operations = Readonly<Record<string, (argument: unknown) => Promise<unknown>>>

export async function askInThread(start: () => Promise<StoreThread>, giveUpAfterMs: number): Promise<Store> {
  let thread = await start()
  let starting: Promise<StoreThread> = Promise.resolve(thread)
  const waiting = new Set<Question>()

  function send(question: Question): void {
    const settle = (how: 'resolve' | 'reject') => (value: unknown) => {
      // Another thread may have been asked the same since.
      if (!waiting.delete(question)) return
      clearTimeout(question.timer)
      question.answer[how](value)
    }
    starting
      .then(({ store }) => (store as unknown as Operations)[question.operation]?.(question.argument))
      .then(settle('resolve'), settle('reject'))
  }

  function giveUp(question: Question): void {
    waiting.delete(question)
    question.answer.reject(new TookTooLong())
    const stuck = thread
    starting = start().then(started => {
      thread = started
      return started
    })
    void stuck.end()
    for (const other of waiting) send(other)
  }

  function ask(operation: string, argument: unknown): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    const question: Question = {
      operation,
      argument,
      answer,
      timer: setTimeout(() => giveUp(question), giveUpAfterMs),
    }
    waiting.add(question)
    send(question)
    return answer.promise
  }

  const asked = Object.keys(thread.store).map(name => [name, (argument: unknown) => ask(name, argument)])
  return {
    ...(Object.fromEntries(asked) as Store),
    onDue: () => () => {},
    async close() {
      for (const { timer } of waiting) clearTimeout(timer)
      await (await starting).end()
    },
  }
}
