// The machine that runs a program of program.h over a text. Choices that may be taken back lie on a stack of their own, so
// that neither deep expressions nor long texts use the thread's; the writes since a choice are undone from a list.
#pragma once

#include "engine/regexp/case_folding.h"
#include "engine/regexp/program.h"

#include <JavaScriptCore/YarrInterpreter.h>

#include <algorithm>
#include <span>
#include <vector>

namespace rondo::engine::regexp {

constexpr uint32_t kUnset = JSC::Yarr::offsetNoMatch;

bool is_in(const JSC::Yarr::CharacterClass& set, char32_t character);

template <class Unit>
class Matcher {
 public:
  using Pattern = JSC::Yarr::BytecodePattern;
  // Asked now and then; true ends the match, with "no match".
  using IsEnding = bool (*)(void* context);

  Matcher(const Pattern& pattern, std::span<const Instruction> code, uint32_t slots, uint32_t registers,
          std::span<const Unit> text)
      : pattern_(pattern),
        code_(code),
        text_(text),
        slots_(slots),
        cells_(slots + registers),
        is_unicode_(pattern.eitherUnicode() && sizeof(Unit) > 1) {}

  // Where it matched first, from `start` on; the slots are in cells() then.
  bool find(uint32_t start, IsEnding is_ending, void* context) {
    is_ending_ = is_ending;
    context_ = context;
    if (start > text_.size()) return false;
    if (is_inside_pair(start)) start--;
    first_ = start;
    for (begin_ = start; begin_ <= text_.size(); begin_++) {
      if (begin_ > start && is_inside_pair(begin_)) continue;
      std::ranges::fill(cells_, kUnset);
      choices_.clear();
      writes_.clear();
      if (run(0, begin_)) return fill_whole_match();
      if (has_ended_ || pattern_.sticky()) return false;
    }
    return false;
  }

  std::span<const uint32_t> slots() const { return std::span(cells_).first(slots_); }

 private:
  // A way that is left when the one taken has failed.
  struct Choice {
    uint32_t pc;
    uint32_t position;
    uint32_t writes;  // how many there were
    uint32_t limit = 0;  // of a Repeat: its shortest end; its count so far when it is lazy
    bool is_repeat = false;
  };
  struct Write {
    uint32_t cell;
    uint32_t before;
  };
  static constexpr char32_t kNone = 0xffffffff;
  static constexpr uint32_t kStepsBetweenLooks = 4096;

  // The slots of the whole match, unless Line has set them.
  bool fill_whole_match() {
    if (cells_[0] == kUnset) cells_[0] = begin_;
    if (cells_[1] == kUnset) cells_[1] = end_;
    return true;
  }

  bool is_lead(size_t i) const { return (text_[i] & 0xfc00) == 0xd800; }
  bool is_trail(size_t i) const { return (text_[i] & 0xfc00) == 0xdc00; }
  bool is_inside_pair(size_t i) const {
    return is_unicode_ && i > 0 && i < text_.size() && is_trail(i) && is_lead(i - 1);
  }

  // The character at (or before) the position, which moves past it; kNone at the text's end (or beginning).
  char32_t read(uint32_t& position, bool is_backward) const {
    if (is_backward) {
      if (position == 0) return kNone;
      position--;
      if (!is_inside_pair(position)) return text_[position];
      position--;
      return pair(position);
    }
    if (position >= text_.size()) return kNone;
    const uint32_t at = position++;
    if (!is_unicode_ || !is_lead(at) || position >= text_.size() || !is_trail(position)) return text_[at];
    position++;
    return pair(at);
  }

  char32_t pair(size_t at) const {
    return 0x10000 + ((static_cast<char32_t>(text_[at]) & 0x3ff) << 10) +
           (static_cast<char32_t>(text_[at + 1]) & 0x3ff);
  }

  bool takes(const Instruction& one, uint32_t& position) const {
    const char32_t character = read(position, one.is_backward);
    if (character == kNone) return false;
    switch (one.op) {
      case Op::Character:
        return character == one.a;
      case Op::CasedCharacter:
        return WTF::toASCIILower(character) == one.a;
      default:
        return is_in(*one.set, character) != one.is_inverted;
    }
  }

  bool is_newline(size_t i) const { return is_in(*pattern_.newlineCharacterClass, text_[i]); }
  bool is_word(size_t i, const JSC::Yarr::CharacterClass& words) const {
    return i < text_.size() && is_in(words, text_[i]);
  }

  bool is_word_boundary(const Instruction& assertion, uint32_t position) const {
    const auto& words = assertion.set ? *assertion.set : *pattern_.wordcharCharacterClass;
    return (position > 0 && is_word(position - 1, words)) != is_word(position, words);
  }

  bool holds(const Instruction& assertion, uint32_t position) const {
    switch (assertion.op) {
      case Op::LineBegin:
        return position == 0 || (pattern_.multiline() && is_newline(position - 1));
      case Op::LineEnd:
        return position == text_.size() || (pattern_.multiline() && is_newline(position));
      default:
        return is_word_boundary(assertion, position) != assertion.is_inverted;
    }
  }

  bool are_same_regardless_of_case(char32_t a, char32_t b) const {
    return pattern_.eitherUnicode() ? fold_simply(a) == fold_simply(b) : upper_of_unit(a) == upper_of_unit(b);
  }

  bool takes_reference(const Instruction& reference, uint32_t& position) const {
    uint32_t from = cells_[reference.a * 2];
    uint32_t to = cells_[reference.a * 2 + 1];
    if (from == kUnset || to == kUnset) return true;
    while (from < to) {
      const char32_t wanted = reference.is_backward ? read(to, true) : read(from, false);
      const char32_t found = read(position, reference.is_backward);
      if (found == kNone) return false;
      if (wanted != found && !(reference.b && are_same_regardless_of_case(wanted, found))) return false;
    }
    return true;
  }

  void set(uint32_t cell, uint32_t value) {
    writes_.push_back({cell, cells_[cell]});
    cells_[cell] = value;
  }

  void undo(size_t writes) {
    while (writes_.size() > writes) {
      cells_[writes_.back().cell] = writes_.back().before;
      writes_.pop_back();
    }
  }

  void choose(uint32_t pc, uint32_t position) {
    choices_.push_back({pc, position, static_cast<uint32_t>(writes_.size())});
  }

  void choose_repeat(uint32_t pc, uint32_t position, uint32_t limit) {
    choices_.push_back({pc, position, static_cast<uint32_t>(writes_.size()), limit, true});
  }

  // The way of the last choice above `base` that has one left.
  bool take_back(size_t base, uint32_t& pc, uint32_t& position) {
    while (choices_.size() > base) {
      Choice& choice = choices_.back();
      undo(choice.writes);
      if (!choice.is_repeat) {
        pc = choice.pc;
        position = choice.position;
        choices_.pop_back();
        return true;
      }
      const Instruction& at = code_[choice.pc];
      if (at.is_lazy ? one_more(choice, at) : one_less(choice, at)) {
        pc = choice.pc + 2;
        position = choice.position;
        if (at.is_lazy ? choice.limit == at.max : choice.position == choice.limit) choices_.pop_back();
        return true;
      }
      choices_.pop_back();
    }
    return false;
  }

  bool one_more(Choice& choice, const Instruction& repeat) const {
    if (choice.limit >= repeat.max || !takes((&repeat)[1], choice.position)) return false;
    choice.limit++;
    return true;
  }

  bool one_less(Choice& choice, const Instruction& repeat) const {
    if (choice.position == choice.limit) return false;
    read(choice.position, !repeat.is_backward);
    return true;
  }

  bool begin_repeat(uint32_t pc, uint32_t& position) {
    const Instruction& repeat = code_[pc];
    const Instruction& one = code_[pc + 1];
    uint32_t count = 0;
    for (; count < repeat.min; count++)
      if (!takes(one, position)) return false;
    if (repeat.is_lazy) {
      if (count < repeat.max) choose_repeat(pc, position, count);
      return true;
    }
    const uint32_t shortest = position;
    for (uint32_t next = position; count < repeat.max && takes(one, next); count++) position = next;
    if (position != shortest) choose_repeat(pc, position, shortest);
    return true;
  }

  // Where to go on: the iteration, or behind the loop.
  uint32_t decide(const Instruction& loop, uint32_t pc, uint32_t position) {
    const uint32_t count = cells_[slots_ + loop.a];
    if (count < loop.min) return pc + 1;
    if (count >= loop.max) return loop.b;
    choose(loop.is_lazy ? pc + 1 : loop.b, position);
    return loop.is_lazy ? loop.b : pc + 1;
  }

  void begin_iteration(uint32_t counter, uint32_t position) {
    set(counter, cells_[counter] + 1);
    set(counter + 1, position);
  }

  // An iteration that the loop could do without must take something.
  bool ends_iteration(const Instruction& loop, uint32_t position) const {
    const uint32_t counter = slots_ + loop.a;
    return cells_[counter] <= loop.min || cells_[counter + 1] != position;
  }

  // Its choices are forgotten, whatever it finds; groups that it has set stay set when it is found as wanted.
  bool sees(const Instruction& look, uint32_t pc, uint32_t position) {
    const size_t choices = choices_.size();
    const size_t writes = writes_.size();
    const bool is_found = run(pc + 1, position);
    choices_.resize(choices);
    if (!is_found || look.is_inverted) undo(writes);
    return is_found != look.is_inverted;
  }

  bool widen_to_line(const Instruction& line, uint32_t position) {
    uint32_t begin = begin_;
    uint32_t end = position;
    if (pattern_.dotAll()) {
      begin = first_;
      end = static_cast<uint32_t>(text_.size());
    } else {
      while (begin > first_ && !is_newline(begin - 1)) begin--;
      while (end < text_.size() && !is_newline(end)) end++;
    }
    const bool is_cut = (begin > 0 && (line.a & 1)) || (end < text_.size() && (line.a & 2));
    if (is_cut && !pattern_.multiline()) return false;
    set(0, begin);
    set(1, end);
    return true;
  }

  // Whether the instruction lets the match go on; then `pc` is the next one.
  bool step(uint32_t& pc, uint32_t& position) {
    const Instruction& at = code_[pc];
    switch (at.op) {
      case Op::Character:
      case Op::CasedCharacter:
      case Op::Set:
        return pc++, takes(at, position);
      case Op::Repeat:
        pc += 2;
        return begin_repeat(pc - 2, position);
      case Op::LineBegin:
      case Op::LineEnd:
      case Op::WordBoundary:
        return pc++, holds(at, position);
      case Op::Reference:
        return pc++, takes_reference(at, position);
      case Op::Save:
        return pc++, set(at.a, position), true;
      case Op::Clear:
        for (uint32_t slot = at.a; slot < at.b; slot++) set(slot, kUnset);
        return pc++, true;
      case Op::Split:
        choose(at.b, position);
        return pc = at.a, true;
      case Op::Jump:
        return pc = at.a, true;
      case Op::Counter:
        return pc++, set(slots_ + at.a, 0), true;
      case Op::Loop:
        return pc = decide(at, pc, position), true;
      case Op::Iterate:
        return pc++, begin_iteration(slots_ + at.a, position), true;
      case Op::LoopEnd:
        return pc = at.a, ends_iteration(code_[at.a], position);
      case Op::Look: {
        const uint32_t body = pc;
        return pc = at.a, sees(at, body, position);
      }
      case Op::Line:
        return pc++, widen_to_line(at, position);
      case Op::Accept:
        break;
    }
    return true;
  }

  // Looks are calls within calls, as deep as the expression nests them.
  bool run(uint32_t pc, uint32_t position) {
    const size_t base = choices_.size();
    while (code_[pc].op != Op::Accept) {
      if (++steps_ % kStepsBetweenLooks == 0 && is_ending_(context_)) has_ended_ = true;
      if (has_ended_) return false;
      if (!step(pc, position) && !take_back(base, pc, position)) return false;
    }
    end_ = position;
    return !has_ended_;
  }

  const Pattern& pattern_;
  std::span<const Instruction> code_;
  std::span<const Unit> text_;
  uint32_t slots_;
  std::vector<uint32_t> cells_;  // slots, then registers
  std::vector<Choice> choices_;
  std::vector<Write> writes_;
  bool is_unicode_;
  bool has_ended_ = false;
  uint32_t begin_ = 0;
  uint32_t end_ = 0;
  uint32_t first_ = 0;  // where the search began
  uint32_t steps_ = 0;
  IsEnding is_ending_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace rondo::engine::regexp
