import { Observable, retry, take, type Subscriber } from 'rxjs';
import { linked } from '../../src/linked';

/** A source that tells when it is subscribed to and left, and through which the test speaks. */
function watchedSource(heard: string[]): { source: Observable<string>; producer: () => Subscriber<string> } {
  let producer: Subscriber<string> | undefined;
  const source = new Observable<string>((subscriber) => {
    heard.push('subscribed');
    producer = subscriber;
    return () => heard.push('left');
  });
  return { source, producer: () => producer! };
}

/** An operator that hands on what it hears, and leaves when it hears `enough`. */
function through(source: Observable<string>, heard: string[] = []): Observable<string> {
  return new Observable((subscriber) => {
    linked(source, subscriber, (leave) => ({
      next(value) {
        heard.push(value);
        if (value === 'enough') leave();
        else subscriber.next(value);
      },
      error(error: unknown) {
        heard.push('error');
        subscriber.error(error);
      },
      complete() {
        heard.push('complete');
        subscriber.complete();
      },
    }));
  });
}

/** Says the values one after another, as long as somebody listens, and counts them. */
function countedSource(values: readonly string[]): { source: Observable<string>; produced: () => number } {
  let produced = 0;
  const source = new Observable<string>((subscriber) => {
    for (const value of values) {
      if (subscriber.closed) return;
      produced += 1;
      subscriber.next(value);
    }
    subscriber.complete();
  });
  return { source, produced: () => produced };
}

describe('linked()', () => {
  it('1. leaves the source at once when the subscriber is unsubscribed', () => {
    const heard: string[] = [];
    const { source, producer } = watchedSource(heard);
    const subscription = through(source, heard).subscribe();
    producer().next('a');
    subscription.unsubscribe();
    producer().next('b');
    expect(heard).toEqual(['subscribed', 'a', 'left']);
  });

  it('1. leaves a synchronous source in the middle of its subscription', () => {
    const { source, produced } = countedSource(['a', 'b', 'c', 'd']);
    through(source).pipe(take(2)).subscribe();
    expect(produced()).toBe(2);
  });

  it('2. leave() leaves the source at once, and the observer hears nothing after it', () => {
    const heard: string[] = [];
    const { source, producer } = watchedSource(heard);
    through(source, heard).subscribe({ complete: () => heard.push('consumer told') });
    producer().next('a');
    producer().next('enough');
    producer().next('b');
    producer().complete();
    expect(heard).toEqual(['subscribed', 'a', 'enough', 'left']);
  });

  it('2. leave() stops a synchronous source', () => {
    const heard: string[] = [];
    const { source, produced } = countedSource(['a', 'enough', 'b', 'c']);
    through(source, heard).subscribe();
    expect(produced()).toBe(2);
    expect(heard).toEqual(['a', 'enough']);
  });

  it('3. has left the source before the observer is told that it failed', () => {
    const heard: string[] = [];
    const { source, producer } = watchedSource(heard);
    through(source, heard).subscribe({ error: () => heard.push('consumer told') });
    producer().error(new Error('wire'));
    expect(heard).toEqual(['subscribed', 'left', 'error', 'consumer told']);
  });

  it('3. has left the source before the observer is told that it completed', () => {
    const heard: string[] = [];
    const { source, producer } = watchedSource(heard);
    through(source, heard).subscribe({ complete: () => heard.push('consumer told') });
    producer().complete();
    expect(heard).toEqual(['subscribed', 'left', 'complete', 'consumer told']);
  });

  it('3. lets a retry find the source closed', () => {
    const heard: string[] = [];
    const { source, producer } = watchedSource(heard);
    through(source, heard).pipe(retry(1)).subscribe();
    producer().error(new Error('wire'));
    expect(heard).toEqual(['subscribed', 'left', 'error', 'subscribed']);
  });

  it('3. lets a retry find a source closed that fails while it is subscribed to', () => {
    const heard: string[] = [];
    let attempts = 0;
    const source = new Observable<string>((subscriber) => {
      attempts += 1;
      heard.push(`subscribed ${attempts}`);
      subscriber.add(() => heard.push('left'));
      if (attempts === 1) subscriber.error(new Error('wire'));
    });
    through(source).pipe(retry(1)).subscribe();
    expect(heard).toEqual(['subscribed 1', 'left', 'subscribed 2']);
  });
});
