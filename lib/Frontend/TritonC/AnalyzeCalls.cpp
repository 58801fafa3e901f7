//===- AnalyzeCalls.cpp - Built-in functions ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Analyzer.h"

namespace tileir::triton_c {

namespace {

constexpr llvm::StringRef kMath[] = {"exp",  "exp2",  "log",   "log2",
                                     "sqrt", "rsqrt", "sin",   "cos",
                                     "tanh", "erf",   "floor", "ceil"};
constexpr llvm::StringRef kAtomics[] = {
    "atomic_add", "atomic_max", "atomic_min", "atomic_and",
    "atomic_or",  "atomic_xor", "atomic_xchg"};
constexpr llvm::StringRef kOthers[] = {"get_program_id",
                                       "get_num_programs",
                                       "get_global_range",
                                       "trans",
                                       "dot",
                                       "select",
                                       "min",
                                       "max",
                                       "abs"};

} // namespace

bool Analyzer::checkCount(const Expr &call, size_t least, size_t most) {
  size_t count = call.operands.size();
  if (count >= least && count <= most)
    return true;
  std::string expected = std::to_string(least);
  if (most != least)
    expected += (most == least + 1 ? " or " : " to ") + std::to_string(most);
  diagnostics.error(call.place,
                    "expected " + expected +
                        (most == 1 ? " argument of '" : " arguments of '") +
                        call.text + "', found " + llvm::Twine(count));
  return false;
}

Expr *Analyzer::analyzeCall(Expr *expr) {
  llvm::StringRef name = expr->text;
  bool isMath = llvm::is_contained(kMath, name);
  bool isAtomic = llvm::is_contained(kAtomics, name);
  if (!isMath && !isAtomic && !llvm::is_contained(kOthers, name)) {
    std::vector<llvm::StringRef> names(std::begin(kOthers), std::end(kOthers));
    llvm::append_range(names, kMath);
    llvm::append_range(names, kAtomics);
    std::string near = suggest(name, names);
    diagnostics.error(
        expr->place,
        "expected a built-in function, found '" + name + "'" +
            (near.empty() ? ": other functions can be macros" : near));
    return makeError(*expr);
  }
  if (isHost) {
    diagnostics.error(expr->place, "expected a size of the grid, which the "
                                   "host computes, found a call of '" +
                                       name + "'");
    return makeError(*expr);
  }
  if (name.starts_with("get_"))
    return analyzeGridCall(expr);
  for (Expr *&operand : expr->operands)
    operand = analyze(operand);
  if (llvm::any_of(expr->operands, [](Expr *e) { return e->isError(); }))
    return makeError(*expr);
  if (isMath || name == "abs")
    return analyzeMath(expr);
  if (isAtomic)
    return analyzeAtomic(expr);
  if (name == "min" || name == "max")
    return analyzeMinMax(expr);
  if (name == "select")
    return analyzeSelect(expr);
  if (name == "trans")
    return checkCount(*expr, 1, 1) ? makeTrans(expr->operands[0], expr->place)
                                   : makeError(*expr);
  if (!checkCount(*expr, 2, 3))
    return makeError(*expr);
  return makeDot(expr->operands[0], expr->operands[1],
                 expr->operands.size() > 2 ? expr->operands[2] : nullptr,
                 expr->place);
}

Expr *Analyzer::analyzeGridCall(Expr *expr) {
  if (!checkCount(*expr, 1, 1))
    return makeError(*expr);
  auto axis = getConstant(analyze(expr->operands[0]),
                          "the axis of '" + expr->text + "'");
  if (!axis)
    return makeError(*expr);
  if (*axis < 0 || *axis > 2) {
    diagnostics.error(expr->place, "expected 0, 1 or 2 as the axis of '" +
                                       expr->text + "', found " +
                                       llvm::Twine(*axis));
    return makeError(*expr);
  }
  bool isCount = expr->text == "get_num_programs";
  Expr *id = make(isCount ? ExprKind::NumPrograms : ExprKind::ProgramId,
                  expr->place, {}, ValueType());
  id->axis = *axis;
  if (expr->text != "get_global_range")
    return id;
  if (expr->castTo.sizes.empty()) {
    diagnostics.error(expr->place, "expected the size of the range as "
                                   "get_global_range[T](axis)");
    return makeError(*expr);
  }
  auto size = getConstant(analyze(expr->castTo.sizes[0]),
                          "the size of 'get_global_range'");
  if (!size)
    return makeError(*expr);
  if (*size < 1) {
    diagnostics.error(expr->place, "expected a size of 'get_global_range' of "
                                   "at least 1, found " +
                                       llvm::Twine(*size));
    return makeError(*expr);
  }
  ValueType type;
  type.shape = {*size};
  if (!checkSize(type.shape, expr->place))
    return makeError(*expr);
  Expr *range = make(ExprKind::Range, expr->place, {}, type);
  range->end = *size;
  Expr *first = makeBinary(
      "*", id, makeInteger(*size, Element::Int32, expr->place), expr->place);
  return makeBinary("+", first, range, expr->place);
}

Expr *Analyzer::analyzeMath(Expr *expr) {
  if (!checkCount(*expr, 1, 1))
    return makeError(*expr);
  Expr *operand = expr->operands[0];
  bool isAbs = expr->text == "abs";
  if (operand->type.isPointer) {
    diagnostics.error(expr->place, "expected a number as the argument of '" +
                                       expr->text + "', found " +
                                       operand->type.str());
    return makeError(*expr);
  }
  Element element = operand->type.element;
  operand = convert(operand, isAbs              ? promote(element)
                             : isFloat(element) ? element
                                                : Element::Float);
  element = operand->type.element;
  // What has 16 bits is computed in float, and rounded once.
  bool isNarrow = isFloat(element) && getBits(element) == 16;
  if (isNarrow)
    operand = convert(operand, Element::Float);
  Expr *result =
      make(ExprKind::Function, expr->place, {operand}, operand->type);
  result->text = expr->text;
  return isNarrow ? convert(result, element) : result;
}

Expr *Analyzer::analyzeMinMax(Expr *expr) {
  if (!checkCount(*expr, 2, 2))
    return makeError(*expr);
  Expr *lhs = expr->operands[0], *rhs = expr->operands[1];
  if (lhs->type.isPointer || rhs->type.isPointer) {
    diagnostics.error(expr->place, "expected numbers as arguments of '" +
                                       expr->text + "', found " +
                                       lhs->type.str() + " and " +
                                       rhs->type.str());
    return makeError(*expr);
  }
  Element common = getCommonOf(*lhs, *rhs);
  Expr *operands[] = {convert(lhs, common), convert(rhs, common)};
  if (!unify(operands, expr->place))
    return makeError(*expr);
  Expr *result = make(ExprKind::Function, expr->place,
                      {operands[0], operands[1]}, operands[0]->type);
  result->text = expr->text;
  return result;
}

Expr *Analyzer::analyzeSelect(Expr *expr) {
  if (!checkCount(*expr, 3, 3))
    return makeError(*expr);
  // Loads in the arms are not masked: that is what '?' is for.
  Expr *result = makeConditional(expr->operands[0], expr->operands[1],
                                 expr->operands[2], expr->place);
  if (!result->isError())
    result->kind = ExprKind::Select;
  return result;
}

Expr *Analyzer::analyzeAtomic(Expr *expr) {
  if (!checkCount(*expr, 2, 3))
    return makeError(*expr);
  Expr *pointer = expr->operands[0], *value = expr->operands[1];
  llvm::StringRef op = expr->text.drop_front(strlen("atomic_"));
  if (!pointer->type.isPointer) {
    diagnostics.error(expr->place, "expected a pointer as the first argument "
                                   "of '" +
                                       expr->text + "', found " +
                                       pointer->type.str());
    return makeError(*expr);
  }
  if (isFloat(pointer->type.element) && op != "add" && op != "xchg") {
    diagnostics.error(expr->place, "expected a pointer to integers as the "
                                   "first argument of '" +
                                       expr->text + "', found " +
                                       pointer->type.str());
    return makeError(*expr);
  }
  if (pointer->type.isConst) {
    diagnostics.error(expr->place,
                      "expected a pointer that may be written through, found "
                      "one to const values");
    return makeError(*expr);
  }
  ValueType type = pointer->type;
  type.isPointer = false;
  value = coerce(value, type, value->place, "what '" + expr->text + "' takes");
  if (value->isError())
    return value;
  Expr *mask = getPredicate(type.shape, expr->place);
  if (expr->operands.size() > 2) {
    Expr *own = convertToBool(expr->operands[2]);
    if (!own->isError())
      own = coerce(own, type.withElement(Element::Bool), own->place,
                   "the mask of '" + expr->text + "'");
    if (own->isError())
      return own;
    mask = mask ? makeLogical("&&", mask, own, expr->place) : own;
  }
  if (mask && mask->isError())
    return mask;
  std::vector<Expr *> operands = {pointer, value};
  if (mask)
    operands.push_back(mask);
  Expr *result = make(ExprKind::Atomic, expr->place, operands, type);
  result->text = op;
  // Masks of arms reach it as they reach loads.
  result->hasLoad = true;
  return result;
}

} // namespace tileir::triton_c
