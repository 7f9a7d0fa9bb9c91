import { wordsOf } from '../register.js';
import type { Fprobe, FprobeOptions, Kprobe, KprobeRegs, KprobeSettling, ProbedCall } from './kprobe.js';
import type { FoundKprobe, KprobePlanner, Settlings } from './kprobe-planner.js';
import { NO_EXIT, type ProbeOps } from './probe-ops.js';
import { type KprobeMember, type KprobePoint, type ProbeHost, ProgramProbe } from './program-probe.js';
import { SiteSubscription } from './site-subscription.js';

/** A kprobe or kretprobe of a function. */
interface FunctionMember extends KprobeMember {
  /** Calls under way whose end it will be told. */
  active: number;
}

interface PendingCall {
  readonly member: FunctionMember;
  readonly call: ProbedCall<Kprobe>;
  /** Settlings.began, if its member wants to know how the call settles. */
  readonly began: unknown;
}

const NO_VARIABLES = Object.freeze({});

/** The registers of a call, as handlers get them. */
export const regsOf = (self: unknown, args: readonly unknown[], returnValue?: unknown, unwound = false): KprobeRegs => ({
  self,
  arguments: args,
  returnValue,
  unwound,
  variables: NO_VARIABLES,
});

/**
 * The kprobes and kretprobes at one function's entry (aggr_pre_handler, pre_handler_kretprobe in kernel/kprobes.c): the newest is
 * called first, and at the end of the call the oldest.
 */
export class FunctionKprobes implements ProbeOps, KprobePoint {
  readonly name = 'kprobe_ftrace_handler';
  readonly #address: number;
  readonly #planner: KprobePlanner;
  readonly #sites: SiteSubscription;
  /** While a member has a settledHandler. */
  #settlings: Settlings<PendingCall> | undefined;
  /** The end of a call is being told: handlers run already. */
  #isInExit = false;
  /** The newest first. */
  #members: readonly FunctionMember[] = [];

  constructor(id: number, { n, address }: FoundKprobe, planner: KprobePlanner) {
    this.#address = address;
    this.#planner = planner;
    this.#sites = new SiteSubscription(id, this, { functions: [n], filter: [], notrace: [] }, planner);
  }

  join(member: KprobeMember): Promise<void> {
    this.#members = [{ ...member, active: 0 }, ...this.#members];
    if (wantsSettling(member))
      this.#settlings ??= this.#planner.settlings((pending, settling) => this.#settled(pending, settling));
    return member.probe.joined(this);
  }

  leave(probe: ProgramProbe): void {
    this.#members = this.#members.filter((member) => member.probe !== probe);
    if (this.#members.some(wantsSettling)) return;
    this.#settlings?.end();
    this.#settlings = undefined;
  }

  arrange(): Promise<void> {
    return this.#sites.set(() => this.#members.some(({ probe }) => probe.isEnabled));
  }

  /** The control side halts probes at sites. */
  halt(): void {}

  entry(_n: number, self: unknown, args: readonly unknown[]): unknown {
    const regs = regsOf(self, args);
    const pending: PendingCall[] = [];
    const members = this.#members;
    let isEnded = false;
    for (let i = 0; i < members.length && !isEnded; i++) isEnded = this.#pre(members[i]!, regs, pending);
    for (let i = 0; i < members.length && !isEnded; i++) post(members[i]!, regs);
    return pending.length === 0 ? NO_EXIT : pending;
  }

  exit(_n: number, kept: unknown, value: unknown, unwound: boolean, isCoroutine?: boolean): void {
    const pending = kept as readonly PendingCall[];
    const regs = regsOf(undefined, [], value, unwound);
    for (let i = pending.length - 1; i >= 0; i--) {
      const { member, call, began } = pending[i]!;
      member.active--;
      const { probe, kretprobe } = member;
      if (probe.isEnabled) probe.call(() => kretprobe!.handler?.(call, regs));
      if (began === undefined) continue;
      this.#isInExit = true;
      this.#settlings?.ended(pending[i]!, began, value, unwound, isCoroutine);
      this.#isInExit = false;
    }
  }

  #settled({ member: { probe, kretprobe }, call }: PendingCall, settling: KprobeSettling): void {
    if (!probe.isEnabled) return;
    const tell = (): void => void probe.call(() => kretprobe!.settledHandler!(call, settling));
    if (this.#isInExit) tell();
    else if (!this.#planner.inCallback(tell)) probe.missed++;
  }

  missed(): void {
    for (const { probe } of this.#members) if (probe.isEnabled) probe.missed++;
  }

  /** Returns whether nothing more is called for this hit. */
  #pre(member: FunctionMember, regs: KprobeRegs, pending: PendingCall[]): boolean {
    const { probe, kprobe, kretprobe } = member;
    if (!probe.isEnabled) return false;
    if (kprobe !== undefined) return !!probe.call(() => kprobe.preHandler?.(probe, regs));
    const { maxactive = 0, entryHandler } = kretprobe!;
    if (maxactive > 0 && member.active >= maxactive) {
      probe.missed++;
      return false;
    }
    const call: ProbedCall<Kprobe> = { probe, ip: this.#address, data: undefined };
    if (entryHandler !== undefined && probe.call(() => entryHandler(call, regs))) return false;
    if (!probe.isEnabled) return false;
    member.active++;
    pending.push({ member, call, began: wantsSettling(member) ? this.#settlings?.began() : undefined });
    return false;
  }
}

const wantsSettling = ({ kretprobe }: KprobeMember): boolean => kretprobe?.settledHandler !== undefined;

const post = ({ probe, kprobe }: FunctionMember, regs: KprobeRegs): void => {
  if (kprobe?.postHandler !== undefined && probe.isEnabled) probe.call(() => kprobe.postHandler!(probe, regs));
};

/** An fprobe and its functions (kernel/trace/fprobe.c). */
export class FunctionFprobe implements ProbeOps, ProbeHost {
  readonly name = 'fprobe_handler';
  readonly probe: ProgramProbe & Fprobe;
  readonly #options: FprobeOptions;
  readonly #planner: KprobePlanner;
  readonly #sites: SiteSubscription;

  constructor(id: number, options: FprobeOptions, planner: KprobePlanner) {
    this.#options = options;
    this.#planner = planner;
    this.probe = new ProgramProbe(id, options.disabled !== true, {
      setState: () => {},
      failed: (error) => planner.failed(error),
    });
    const words = { filter: wordsOf(options.filter), notrace: wordsOf(options.notrace) };
    this.#sites = new SiteSubscription(id, this, words, planner);
  }

  leave(): void {}

  arrange(): Promise<void> {
    return this.#sites.set(() => this.probe.isEnabled);
  }

  entry(n: number, self: unknown, args: readonly unknown[]): unknown {
    const { probe } = this;
    const { entryHandler, exitHandler } = this.#options;
    if (!probe.isEnabled) return NO_EXIT;
    const call: ProbedCall<Fprobe> = { probe, ip: this.#planner.addressOf(n), data: undefined };
    const isSkipped = entryHandler !== undefined && probe.call(() => entryHandler(call, regsOf(self, args)));
    return isSkipped || exitHandler === undefined || !probe.isEnabled ? NO_EXIT : call;
  }

  exit(_n: number, kept: unknown, value: unknown, unwound: boolean): void {
    const { probe } = this;
    if (!probe.isEnabled) return;
    probe.call(() => this.#options.exitHandler!(kept as ProbedCall<Fprobe>, regsOf(undefined, [], value, unwound)));
  }

  missed(): void {
    if (this.probe.isEnabled) this.probe.missed++;
  }
}
